// RUN: %opt %s --pass-pipeline='builtin.module(func.func(assay-separate-results))' --split-input-file | %FileCheck %s

// CHECK-LABEL: @thrice(
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[C]]
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @thrice() -> (memref<3xf32>, memref<3xf32>, memref<3xf32>) {
  %a = memref.alloc() : memref<3xf32>
  return %a, %a, %a : memref<3xf32>, memref<3xf32>, memref<3xf32>
}

// -----

// Different buffers stay, and numbers may be returned as often as anybody likes.
// CHECK-LABEL: @different(
// CHECK-NOT: memref.copy
func.func @different(%n: index) -> (memref<3xf32>, memref<3xf32>, index, index) {
  %a = memref.alloc() : memref<3xf32>
  %b = memref.alloc() : memref<3xf32>
  return %a, %b, %n, %n : memref<3xf32>, memref<3xf32>, index, index
}
