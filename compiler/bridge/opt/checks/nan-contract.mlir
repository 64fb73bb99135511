// Folding gives the NaN to whoever folds first: the program's own arithmetic.
// RUN: %opt %s --canonicalize | %FileCheck %s --check-prefix=FOLDED
// RUN: %opt %s --canonicalize --nan-contract=off | %FileCheck %s --check-prefix=FOLDED
// RUN: %opt %s --canonicalize --nan-contract=planted | %FileCheck %s --check-prefix=FOLDED
// RUN: %opt %s --canonicalize --nan-contract=report 2>&1 \
// RUN:   | %FileCheck %s --check-prefixes=WARN,FOLDED
// RUN: %not %opt %s --cse --canonicalize --nan-contract=error 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ERROR --implicit-check-not=func.func
// RUN: %not %opt %s --canonicalize --mlir-print-ir-after=symbol-dce --symbol-dce \
// RUN:   --nan-contract=error 2>&1 | %FileCheck %s --check-prefix=STOPS
// WARN: nan-contract.mlir:[[#]]:[[#]]: warning: 'arith.constant' op holds a NaN 'f32' attribute
// WARN-SAME: (0x7FC00000) that pass 'canonicalize' made, which folding the program alone gives too
// FOLDED: {{^ *%.*}} = arith.constant 0x7FC00000
// ERROR: nan-contract.mlir:[[#]]:[[#]]: error: 'arith.constant' op holds a NaN 'f32' attribute
// ERROR-SAME: (0x7FC00000) that pass 'canonicalize' made, which folding the program alone gives too
// STOPS: error: 'arith.constant' op holds a NaN
// STOPS: func.func @main

// A pass's own contract goes before that of all, wherever it stands, and the last one counts.
// RUN: %opt %s --canonicalize --nan-contract=canonicalize:off --nan-contract=error
// RUN: %not %opt %s --canonicalize --nan-contract=canonicalize:error 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=ERROR
// RUN: %opt %s --canonicalize --nan-contract=cse:error
// RUN: %opt %s --canonicalize --nan-contract=error --nan-contract=planted

// What mlir-opt leaves to show a failure again can be read again.
// RUN: %not %opt %s --canonicalize --nan-contract=error -o /dev/null \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t.mlir
// RUN: %opt %t.mlir --run-reproducer | %FileCheck %s --check-prefix=FOLDED
// RUN: %not %opt %t.mlir --run-reproducer --nan-contract=error 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=AGAIN
// AGAIN: error: 'arith.constant' op holds a NaN 'f32' attribute

// RUN: %not %opt %s --nan-contract=plant 2>&1 | %FileCheck %s --check-prefix=WORD
// WORD: assay: error: --nan-contract: unknown word in 'plant'; known: error, planted, report, off

func.func @main(%x: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %0 = arith.mulf %zero, %infinity : f32
  %1 = arith.addf %x, %infinity : f32
  return %0, %1 : f32, f32
}
