// RUN: %opt %s --pass-pipeline='builtin.module(func.func(assay-fold-transposes,canonicalize))' | %FileCheck %s

// CHECK-DAG: #[[MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[BKM:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>

// The transpose goes, the operation keeps its name.
// CHECK-LABEL: @rhs(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<3x5xf32>, %[[B:[a-z0-9]+]]: tensor<7x5xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[MK]], #[[NK]], #[[MN]]] ins(%[[A]], %[[B]] :
func.func @rhs(%a: tensor<3x5xf32>, %b: tensor<7x5xf32>, %c: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %t = linalg.transpose ins(%b : tensor<7x5xf32>) outs(%e : tensor<5x7xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%a, %t : tensor<3x5xf32>, tensor<5x7xf32>) outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %r : tensor<3x7xf32>
}

// Square, where a lost transpose would still verify.
// CHECK-LABEL: @both_square(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x4xi32>, %[[B:[a-z0-9]+]]: tensor<4x4xi32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[KM]], #[[NK]], #[[MN]]] ins(%[[A]], %[[B]] :
func.func @both_square(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>, %c: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %e = tensor.empty() : tensor<4x4xi32>
  %s = linalg.transpose ins(%a : tensor<4x4xi32>) outs(%e : tensor<4x4xi32>) permutation = [1, 0]
  %t = linalg.transpose ins(%b : tensor<4x4xi32>) outs(%e : tensor<4x4xi32>) permutation = [1, 0]
  %r = linalg.matmul ins(%s, %t : tensor<4x4xi32>, tensor<4x4xi32>) outs(%c : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// A transpose of a transpose reads the tensor as it is.
// CHECK-LABEL: @twice(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xf32>, %[[B:[a-z0-9]+]]: tensor<?x?xf32>, %[[E:[a-z0-9]+]]: tensor<?x?xf32>, %[[C:[a-z0-9]+]]: tensor
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul ins(%[[A]], %[[B]] :
func.func @twice(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %e: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %s = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %t = linalg.transpose ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%t, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A slice stays between the tensor and the contraction.
// CHECK-LABEL: @batch_of_a_slice(
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK-NOT: linalg.transpose
// CHECK: linalg.batch_matmul indexing_maps = [#[[BKM]], {{.*}}] ins(%[[S]], %
func.func @batch_of_a_slice(%a: tensor<2x9x8xf64>, %b: tensor<2x5x4xf64>, %c: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
  %s = tensor.extract_slice %a[0, 1, 2] [2, 5, 3] [1, 1, 1] : tensor<2x9x8xf64> to tensor<2x5x3xf64>
  %e = tensor.empty() : tensor<2x3x5xf64>
  %t = linalg.transpose ins(%s : tensor<2x5x3xf64>) outs(%e : tensor<2x3x5xf64>) permutation = [0, 2, 1]
  %r = linalg.batch_matmul ins(%t, %b : tensor<2x3x5xf64>, tensor<2x5x4xf64>) outs(%c : tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
  return %r : tensor<2x3x4xf64>
}

// No map of batch_matmul moves the batch: this one stays.
// CHECK-LABEL: @batch_moved(
// CHECK: linalg.transpose
// CHECK: linalg.batch_matmul ins(
func.func @batch_moved(%a: tensor<3x2x5xf32>, %b: tensor<2x5x4xf32>, %c: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x3x5xf32>
  %t = linalg.transpose ins(%a : tensor<3x2x5xf32>) outs(%e : tensor<2x3x5xf32>) permutation = [1, 0, 2]
  %r = linalg.batch_matmul ins(%t, %b : tensor<2x3x5xf32>, tensor<2x5x4xf32>) outs(%c : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// The result that is added to is no operand to fold.
// CHECK-LABEL: @result_transposed(
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: linalg.matmul ins({{.*}}) outs(%[[T]] :
func.func @result_transposed(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<7x3xf32>) -> tensor<3x7xf32> {
  %e = tensor.empty() : tensor<3x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x3xf32>) outs(%e : tensor<3x7xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%t : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %r : tensor<3x7xf32>
}
