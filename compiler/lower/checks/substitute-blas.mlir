// RUN: %opt %s --pass-pipeline='builtin.module(assay-substitute-blas)' --split-input-file | %FileCheck %s

// A zero fill becomes part of the call: no flag says to accumulate.
// CHECK-LABEL: @filled(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<3x5xf32>, %[[B:[a-z0-9]+]]: memref<5x7xf32>, %[[C:[a-z0-9]+]]: memref<3x7xf32>
// CHECK-NOT: linalg
// CHECK-DAG: %[[UA:.*]] = memref.cast %[[A]] : memref<3x5xf32> to memref<*xf32>
// CHECK-DAG: %[[UB:.*]] = memref.cast %[[B]] :
// CHECK-DAG: %[[UC:.*]] = memref.cast %[[C]] :
// CHECK-DAG: %[[FLAGS:.*]] = arith.constant 0 : i32
// CHECK: call @assay_gemm_f32(%[[UA]], %[[UB]], %[[UC]], %[[FLAGS]])
// CHECK-NOT: linalg
// CHECK: func.func private @assay_gemm_f32(memref<*xf32>, memref<*xf32>, memref<*xf32>, i32) attributes {llvm.emit_c_interface}
func.func @filled(%a: memref<3x5xf32>, %b: memref<5x7xf32>, %c: memref<3x7xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<3x7xf32>)
  linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x7xf32>) outs(%c : memref<3x7xf32>)
  return
}

// -----

// Whatever does not touch the result may stand between.
// CHECK-LABEL: @filled_before_others(
// CHECK-SAME: {{.*}}, %[[C:[a-z0-9]+]]: memref<2x3x7xf64>)
// CHECK-NOT: linalg.fill ins(%{{.*}} : f64) outs(%[[C]]
// CHECK: memref.alloc
// CHECK: linalg.fill
// CHECK: arith.constant 0 : i32
// CHECK: call @assay_gemm_f64
func.func @filled_before_others(%a: memref<2x3x5xf64>, %b: memref<2x5x7xf64>, %c: memref<2x3x7xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%c : memref<2x3x7xf64>)
  %other = memref.alloc() : memref<4xf64>
  linalg.fill ins(%zero : f64) outs(%other : memref<4xf64>)
  %s = memref.subview %a[0, 0, 0] [2, 3, 5] [1, 1, 1] : memref<2x3x5xf64> to memref<2x3x5xf64, strided<[15, 5, 1]>>
  linalg.batch_matmul ins(%s, %b : memref<2x3x5xf64, strided<[15, 5, 1]>>, memref<2x5x7xf64>) outs(%c : memref<2x3x7xf64>)
  memref.dealloc %other : memref<4xf64>
  return
}

// -----

// Without a fill, after another fill, and on what a product left: the call accumulates.
// CHECK-LABEL: @accumulating(
// CHECK: arith.constant 4 : i32
// CHECK: call @assay_gemm_f32
// CHECK: linalg.fill
// CHECK: arith.constant 4 : i32
// CHECK: call @assay_gemm_f32
// CHECK: arith.constant 4 : i32
// CHECK: call @assay_gemm_f32
func.func @accumulating(%a: memref<3x3xf32>, %c: memref<3x3xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.matmul ins(%a, %a : memref<3x3xf32>, memref<3x3xf32>) outs(%c : memref<3x3xf32>)
  linalg.fill ins(%one : f32) outs(%c : memref<3x3xf32>)
  linalg.matmul ins(%a, %a : memref<3x3xf32>, memref<3x3xf32>) outs(%c : memref<3x3xf32>)
  linalg.matmul ins(%a, %a : memref<3x3xf32>, memref<3x3xf32>) outs(%c : memref<3x3xf32>)
  return
}

// -----

// A fill with -0, one that is read before the product, one of a view, one in another block: all stay.
// CHECK-LABEL: @fills_that_stay(
// CHECK-COUNT-4: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK-LABEL: func.func private @reader
func.func @fills_that_stay(%a: memref<4x4xf32>, %c: memref<4x4xf32>, %out: memref<f32>, %when: i1) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %i = arith.constant 0 : index
  linalg.fill ins(%minus : f32) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32>)
  func.call @reader(%c) : (memref<4x4xf32>) -> ()
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  %part = memref.subview %c[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  linalg.fill ins(%zero : f32) outs(%part : memref<2x4xf32, strided<[4, 1]>>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  scf.if %when {
    linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32>)
  }
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
func.func private @reader(memref<4x4xf32>)

// -----

// Sizes may be dynamic, layouts strided, and transposes are flags.
// CHECK-LABEL: @views(
// CHECK: memref.cast %{{.*}} : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<*xf32>
// CHECK: arith.constant 5 : i32
// CHECK: arith.constant 6 : i32
func.func @views(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// Left to loops: integers, a product into one of its operands, a broadcast operand, casts inside, other memory,
// a transposed result.
// CHECK-LABEL: @left(
// CHECK-COUNT-7: linalg.matmul
// CHECK-NOT: call
func.func @left(%a: memref<4x4xi32>, %f: memref<8x4xf32>, %v: memref<4xf32>, %h: memref<4x4xf16>, %o: memref<4x4xf32>, %g: memref<4x4xf32, 3>) {
  linalg.matmul ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%a : memref<4x4xi32>)
  %top = memref.subview %f[0, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  %low = memref.subview %f[4, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 16>>
  linalg.matmul ins(%top, %o : memref<4x4xf32, strided<[4, 1]>>, memref<4x4xf32>) outs(%top : memref<4x4xf32, strided<[4, 1]>>)
  linalg.matmul ins(%o, %top : memref<4x4xf32>, memref<4x4xf32, strided<[4, 1]>>) outs(%low : memref<4x4xf32, strided<[4, 1], offset: 16>>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%v, %o : memref<4xf32>, memref<4x4xf32>) outs(%low : memref<4x4xf32, strided<[4, 1], offset: 16>>)
  linalg.matmul ins(%h, %h : memref<4x4xf16>, memref<4x4xf16>) outs(%o : memref<4x4xf32>)
  linalg.matmul ins(%o, %o : memref<4x4xf32>, memref<4x4xf32>) outs(%g : memref<4x4xf32, 3>)
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>]
    ins(%top, %top : memref<4x4xf32, strided<[4, 1]>>, memref<4x4xf32, strided<[4, 1]>>) outs(%o : memref<4x4xf32>)
  return
}
