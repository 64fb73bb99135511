// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: arithmetic on constants folds to NaN attributes
// source: EnzymeAD/Enzyme-JAX#2673, llvm/llvm-project#161395
// pipeline: --canonicalize
// bad-pass: canonicalize
// class: nan-attribute
// pattern: fold

func.func @folds() -> (f32, f32, f32, f32, f32, f32, tensor<4xf32>, tensor<3xf32>) {
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0x7F800000 : f32
  %n = arith.constant 0xFF800000 : f32
  %0 = arith.mulf %z, %i : f32
  %1 = arith.subf %i, %i : f32
  %2 = arith.addf %i, %n : f32
  %3 = arith.divf %i, %i : f32
  %4 = arith.divf %z, %z : f32
  %5 = arith.remf %z, %z : f32
  %sz = arith.constant dense<0.0> : tensor<4xf32>
  %si = arith.constant dense<0x7F800000> : tensor<4xf32>
  %6 = arith.mulf %sz, %si : tensor<4xf32>
  %dz = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %di = arith.constant dense<[0x7F800000, 3.0, 1.0]> : tensor<3xf32>
  %7 = arith.mulf %dz, %di : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, tensor<4xf32>, tensor<3xf32>
}
