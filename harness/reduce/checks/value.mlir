// Of a wrong result the operation stays that the pass gets wrong, in the smallest shape.
// RUN: %reduce %s --load-pass-plugin=%faults --assay-fault-swapped-operands | %FileCheck %s

// CHECK: // first bad pass: 1 assay-fault-swapped-operands (miscompile)
// CHECK: // 1 of 6 operations
// CHECK: func.func @main(%[[A:.*]]: tensor<1x1xf32>, %[[B:.*]]: tensor<1x1xf32>)
// CHECK-NEXT: arith.subf %{{.*}}, %{{.*}} : tensor<1x1xf32>
// CHECK-NEXT: return
func.func @main(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = math.tanh %x : tensor<4x5xf32>
  %1 = arith.addf %0, %y : tensor<4x5xf32>
  %2 = arith.subf %1, %x : tensor<4x5xf32>
  %3 = math.exp %2 : tensor<4x5xf32>
  %4 = arith.mulf %3, %y : tensor<4x5xf32>
  %5 = math.exp %y : tensor<4x5xf32>
  return %4, %5 : tensor<4x5xf32>, tensor<4x5xf32>
}
