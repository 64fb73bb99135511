// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a store leaves a loop that never runs
// source: iree-org/iree#18679, llvm/llvm-project#128273
// pipeline: --affine-loop-invariant-code-motion
// values: 1 1
// bad-pass: affine-loop-invariant-code-motion
// class: miscompile

func.func @fill_n(%n: index, %m: memref<3xf32>) attributes {noinline} {
  %v = arith.constant 7.0 : f32
  affine.for %i = 0 to %n {
    affine.store %v, %m[0] : memref<3xf32>
  }
  return
}
func.func @main() {
  %v = arith.constant 7.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<3xf32>
  linalg.fill ins(%one : f32) outs(%m : memref<3xf32>)
  affine.for %i = 4 to 4 {
    affine.store %v, %m[0] : memref<3xf32>
  }
  %q = affine.load %m[0] : memref<3xf32>
  vector.print %q : f32
  %m2 = memref.alloc() : memref<3xf32>
  linalg.fill ins(%one : f32) outs(%m2 : memref<3xf32>)
  call @fill_n(%c0, %m2) : (index, memref<3xf32>) -> ()
  %q2 = affine.load %m2[0] : memref<3xf32>
  vector.print %q2 : f32
  return
}
