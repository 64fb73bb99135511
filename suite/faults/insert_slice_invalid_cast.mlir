// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a tensor.cast between types that no cast takes
// source: llvm/llvm-project#217361
// pipeline: --canonicalize
// bad-pass: canonicalize
// class: invalid-ir
// pattern: InsertSliceOpConstantArgumentFolder<InsertSliceOp> on tensor.insert_slice

func.func @f(%s: tensor<1x?x?xf32>, %d: tensor<1x2x1x2xf32>) -> tensor<1x2x1x2xf32> {
  %dd = tensor.cast %d : tensor<1x2x1x2xf32> to tensor<1x?x1x?xf32>
  %c2 = arith.constant 2 : index
  %r = tensor.insert_slice %s into %dd[0, 0, 0, 0] [1, %c2, 1, %c2] [1, 1, 1, 1] : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  %q = tensor.cast %r : tensor<1x?x1x?xf32> to tensor<1x2x1x2xf32>
  return %q : tensor<1x2x1x2xf32>
}
