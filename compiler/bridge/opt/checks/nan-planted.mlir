// A NaN that only the pass makes, and a pass whose own contract it is not to.
// RUN: %opt %s --load-pass-plugin=%faults \
// RUN:   --pass-pipeline='builtin.module(assay-fault-nan-constant,canonicalize)'
// RUN: %not %opt %s --load-pass-plugin=%faults --nan-contract=planted \
// RUN:   --pass-pipeline='builtin.module(assay-fault-nan-constant,canonicalize)' 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=PLANTED
// RUN: %not %opt %s --load-pass-plugin=%faults --nan-contract=assay-fault-nan-constant:planted \
// RUN:   --pass-pipeline='builtin.module(assay-fault-nan-constant)' 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=PLANTED
// PLANTED: that pass 'assay-fault-nan-constant' made,
// PLANTED-SAME: which the program's own arithmetic does not give

// RUN: %opt %s --load-pass-plugin=%faults --nan-contract=error \
// RUN:   --nan-contract=assay-fault-nan-constant:off \
// RUN:   --pass-pipeline='builtin.module(assay-fault-nan-constant,canonicalize)' -o /dev/null

func.func @main(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %0 = arith.mulf %x, %two : f32
  return %0 : f32
}
