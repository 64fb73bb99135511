// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: the last vector step writes past the end of the loop
// source: llvm/llvm-project#218120
// pipeline: --affine-super-vectorize=virtual-vector-size=4
// values: 2 2 2 2 2 2 2 2 2 1 1 1
// bad-pass: affine-super-vectorize
// class: miscompile
// step: none
// pattern: none

func.func private @printMemrefF32(memref<*xf32>)
func.func @main() {
  %o = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<12xf32>
  affine.for %i = 0 to 12 { affine.store %o, %m[%i] : memref<12xf32> }
  affine.for %i = 0 to 9 {
    %v = affine.load %m[%i] : memref<12xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %m[%i] : memref<12xf32>
  }
  %u = memref.cast %m : memref<12xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
