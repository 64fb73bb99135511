// RUN: %opt %s --pass-pipeline='builtin.module(func.func(assay-contractions-to-loops,canonicalize,cse))' --split-input-file | %FileCheck %s

// 5x6 by 6x9: blocks of 4 rows and 4 of k, then what is left, in one block each. The element of C is
// loaded and stored once for a block of k.
// CHECK-LABEL: @odd(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<5x6xf32>, %[[B:[a-z0-9]+]]: memref<6x9xf32>, %[[C:[a-z0-9]+]]: memref<5x9xf32>
// CHECK-COUNT-16: memref.load %[[A]]
// CHECK: scf.for %[[J:.*]] =
// CHECK-COUNT-4: memref.load %[[B]]
// CHECK: memref.load %[[C]]
// CHECK-COUNT-4: arith.mulf {{.*}} fastmath<contract>
// CHECK: memref.store {{.*}} %[[C]]
// CHECK: memref.load %[[C]]
// CHECK-COUNT-8: memref.load %[[A]]
// CHECK: scf.for
// CHECK-COUNT-2: memref.load %[[B]]
// CHECK-COUNT-4: memref.load %[[A]]
// CHECK: scf.for
// CHECK-COUNT-4: memref.load %[[B]]
// CHECK-COUNT-2: memref.load %[[A]]
// CHECK: scf.for
// CHECK-NOT: linalg
func.func @odd(%a: memref<5x6xf32>, %b: memref<6x9xf32>, %c: memref<5x9xf32>) {
  linalg.matmul ins(%a, %b : memref<5x6xf32>, memref<6x9xf32>) outs(%c : memref<5x9xf32>)
  return
}

// -----

// Dynamic sizes are split when they are known.
// CHECK-LABEL: @dynamic(
// CHECK-DAG: memref.dim
// CHECK-DAG: arith.remsi
// CHECK: scf.for
// CHECK: arith.muli
// CHECK: arith.addi
// CHECK-NOT: linalg
func.func @dynamic(%a: memref<?x?x?xi32>, %b: memref<?x?x?xi32>, %c: memref<?x?x?xi32>) {
  linalg.batch_matmul ins(%a, %b : memref<?x?x?xi32>, memref<?x?x?xi32>) outs(%c : memref<?x?x?xi32>)
  return
}

// -----

// A product into one of its operands, and of truth values: left as they are.
// CHECK-LABEL: @left(
// CHECK-COUNT-2: linalg.matmul
func.func @left(%a: memref<4x4xf32>, %t: memref<4x4xi1>, %u: memref<4x4xi1>) {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%t, %t : memref<4x4xi1>, memref<4x4xi1>) outs(%u : memref<4x4xi1>)
  return
}
