// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a producer that updates its buffer in place is run again for its consumer
// source: llvm/llvm-project#210490
// pipeline: --affine-loop-fusion
// values: 15
// bad-pass: affine-loop-fusion
// class: miscompile

func.func @body(%p: memref<6xf32>, %d: memref<3xf32>, %k: f32) attributes {noinline} {
  affine.for %i = 0 to 6 {
    %v = affine.load %p[%i] : memref<6xf32>
    %w = arith.mulf %v, %k : f32
    affine.store %w, %p[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 3 {
    %v = affine.load %p[%i] : memref<6xf32>
    affine.store %v, %d[%i] : memref<3xf32>
  }
  return
}
func.func @main() {
  %c = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  %z = arith.constant 0 : index
  %p = memref.alloc() : memref<6xf32>
  %d = memref.alloc() : memref<3xf32>
  linalg.fill ins(%five : f32) outs(%p : memref<6xf32>)
  call @body(%p, %d, %c) : (memref<6xf32>, memref<3xf32>, f32) -> ()
  %r = memref.load %d[%z] : memref<3xf32>
  vector.print %r : f32
  return
}
