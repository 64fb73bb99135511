// The operation at which digits go: accurate operands, a result that has lost most bits. A program that
// keeps them has none.
// RUN: %ledger %s --loss-origin --split-input-file 2>&1 | %FileCheck %s

func.func @main() -> f32 {
  %big = arith.constant 1.0e8 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.addf %big, %one : f32
  // CHECK: loss origin: arith.subf at {{.*}}loss.mlir:[[#@LINE+1]]:8
  %b = arith.subf %a, %big : f32
  return %b : f32
}

// -----

// CHECK: loss origin: none
func.func @main() -> f32 {
  %x = arith.constant 1.25 : f32
  %y = arith.constant 3.0 : f32
  %a = arith.mulf %x, %y : f32
  return %a : f32
}
