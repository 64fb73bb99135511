// On buffers: of two loops and a print one store stays.
// RUN: %reduce %s --canonicalize --affine-loop-invariant-code-motion | %FileCheck %s

// CHECK: // first bad pass: 1 affine-loop-invariant-code-motion (miscompile)
// CHECK: affine.for
// CHECK-NEXT: affine.store
// CHECK-NEXT: }
// CHECK-NOT: affine.for
func.func @main(%m: memref<4xf32>, %k: memref<4xf32>, %n: index) {
  %c = arith.constant 7.0 : f32
  %d = arith.constant 9.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %d, %k[%i] : memref<4xf32>
  }
  %z = arith.constant 0 : index
  %none = memref.dim %m, %z : memref<4xf32>
  %zero = arith.subi %none, %none : index
  affine.for %i = 0 to %zero {
    affine.store %c, %m[2] : memref<4xf32>
  }
  vector.print %d : f32
  return
}
