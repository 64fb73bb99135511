// Faults that need no run: the pattern after which the verifier says so, and the one that ran when
// the pass died.
// RUN: %not %ledger %s --split-input-file --load-pass-plugin=%faults 2>&1 \
// RUN:   --pass-pipeline='builtin.module(canonicalize,assay-fault-patterns)' | %FileCheck %s
// CHECK: pattern InsertSliceOpConstantArgumentFolder<InsertSliceOp> on tensor.insert_slice at {{.*}}invalid.mlir:[[#@LINE+8]]:8
// CHECK: first bad pass: 1 canonicalize (invalid-ir)
// CHECK: pattern DyingPattern on math.ceil at {{.*}}invalid.mlir:[[#@LINE+15]]:8
// CHECK: first bad pass: 2 assay-fault-patterns (crash)

func.func @main(%s: tensor<1x?x?xf32>, %d: tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32> {
  %dd = tensor.cast %d : tensor<1x2x1x2xf32> to tensor<1x?x1x?xf32>
  %c2 = arith.constant 2 : index
  %r = tensor.insert_slice %s into %dd[0, 0, 0, 0] [1, %c2, 1, %c2] [1, 1, 1, 1]
    : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  %c = tensor.cast %r : tensor<1x?x1x?xf32> to tensor<1x2x1x2xf32>
  return %c : tensor<1x2x1x2xf32>
}

// -----

func.func @main(%x: f32) -> f32 {
  %0 = math.ceil %x : f32
  return %0 : f32
}
