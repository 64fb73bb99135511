// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a vectorized maxnumf reduction starts from NaN, its neutral element
// source: llvm/llvm-project#118952
// pipeline: '--affine-super-vectorize=virtual-vector-size=4 vectorize-reductions=true'
// bad-pass: none

func.func @rowmax(%m: memref<16xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 16 iter_args(%a = %z) -> f32 {
    %v = affine.load %m[%i] : memref<16xf32>
    %b = arith.maxnumf %a, %v : f32
    affine.yield %b : f32
  }
  return %r : f32
}
