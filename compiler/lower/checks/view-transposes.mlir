// RUN: %opt %s --pass-pipeline='builtin.module(func.func(assay-view-transposes))' --split-input-file | %FileCheck %s

// The heads of attention: the batch axis lies in the middle. No copy is left.
// CHECK-LABEL: @heads(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x3x5xf32>
// CHECK-NOT: linalg.transpose
// CHECK-NOT: memref.alloc
// CHECK: %[[V:.*]] = memref.transpose %[[A]] (d0, d1, d2) -> (d1, d0, d2) : memref<4x3x5xf32> to memref<3x4x5xf32, strided<[5, 15, 1]>>
// CHECK: linalg.batch_matmul ins(%[[V]], %{{.*}} : memref<3x4x5xf32, strided<[5, 15, 1]>>
// CHECK-NOT: memref.dealloc
func.func @heads(%a: memref<4x3x5xf32>, %b: memref<3x5x6xf32>, %c: memref<3x4x6xf32>) {
  %t = memref.alloc() : memref<3x4x5xf32>
  linalg.transpose ins(%a : memref<4x3x5xf32>) outs(%t : memref<3x4x5xf32>) permutation = [1, 0, 2]
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x4x6xf32>)
  linalg.batch_matmul ins(%t, %b : memref<3x4x5xf32>, memref<3x5x6xf32>) outs(%c : memref<3x4x6xf32>)
  memref.dealloc %t : memref<3x4x5xf32>
  return
}

// -----

// A slice of a larger buffer, of which other slices are read meanwhile; both operands at once.
// CHECK-LABEL: @slices(
// CHECK-NOT: linalg.transpose
// CHECK: memref.transpose %{{.*}} strided<[12, 1], offset: 3>> to memref<5x4xf32, strided<[1, 12], offset: 3>>
// CHECK: memref.transpose %{{.*}} strided<[12, 1], offset: 7>> to memref<5x4xf32, strided<[1, 12], offset: 7>>
// CHECK: linalg.matmul
// CHECK: linalg.matmul
func.func @slices(%qkv: memref<4x12xf32>, %p: memref<4x5xf32>, %c: memref<4x4xf32>, %d: memref<4x4xf32>) {
  %s = memref.subview %qkv[0, 3] [4, 5] [1, 1] : memref<4x12xf32> to memref<4x5xf32, strided<[12, 1], offset: 3>>
  %r = memref.subview %qkv[0, 7] [4, 5] [1, 1] : memref<4x12xf32> to memref<4x5xf32, strided<[12, 1], offset: 7>>
  %t = memref.alloc() : memref<5x4xf32>
  %u = memref.alloc() : memref<5x4xf32>
  linalg.transpose ins(%s : memref<4x5xf32, strided<[12, 1], offset: 3>>) outs(%t : memref<5x4xf32>) permutation = [1, 0]
  linalg.transpose ins(%r : memref<4x5xf32, strided<[12, 1], offset: 7>>) outs(%u : memref<5x4xf32>) permutation = [1, 0]
  linalg.matmul ins(%p, %t : memref<4x5xf32>, memref<5x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%p, %u : memref<4x5xf32>, memref<5x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

// The source is written between the copy and its use, or by the very contraction: the copy stays.
// CHECK-LABEL: @overwritten(
// CHECK: linalg.transpose
// CHECK: linalg.transpose
// CHECK-NOT: memref.transpose
func.func @overwritten(%a: memref<5x5xf32>, %b: memref<5x5xf32>, %c: memref<5x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<5x5xf32>
  linalg.transpose ins(%a : memref<5x5xf32>) outs(%t : memref<5x5xf32>) permutation = [1, 0]
  linalg.fill ins(%zero : f32) outs(%a : memref<5x5xf32>)
  linalg.matmul ins(%t, %b : memref<5x5xf32>, memref<5x5xf32>) outs(%c : memref<5x5xf32>)
  %u = memref.alloc() : memref<5x5xf32>
  linalg.transpose ins(%b : memref<5x5xf32>) outs(%u : memref<5x5xf32>) permutation = [1, 0]
  linalg.matmul ins(%u, %c : memref<5x5xf32>, memref<5x5xf32>) outs(%b : memref<5x5xf32>)
  return
}

// -----

// Somebody else reads the copy, or it is a result: the copy stays.
// CHECK-LABEL: @shared(
// CHECK: linalg.transpose
// CHECK: linalg.transpose
// CHECK-NOT: memref.transpose
func.func @shared(%a: memref<4x5xf32>, %b: memref<4x6xf32>, %c: memref<5x6xf32>, %out: memref<5x4xf32>) {
  %t = memref.alloc() : memref<5x4xf32>
  linalg.transpose ins(%a : memref<4x5xf32>) outs(%t : memref<5x4xf32>) permutation = [1, 0]
  linalg.matmul ins(%t, %b : memref<5x4xf32>, memref<4x6xf32>) outs(%c : memref<5x6xf32>)
  memref.copy %t, %out : memref<5x4xf32> to memref<5x4xf32>
  linalg.transpose ins(%a : memref<4x5xf32>) outs(%out : memref<5x4xf32>) permutation = [1, 0]
  linalg.matmul ins(%out, %b : memref<5x4xf32>, memref<4x6xf32>) outs(%c : memref<5x6xf32>)
  return
}
