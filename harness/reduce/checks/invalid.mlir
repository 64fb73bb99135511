// What is left shows the verifier's message: the operation itself, and what feeds it.
// RUN: %reduce %s --load-pass-plugin=%faults --cse --assay-fault-fuse-rescale \
// RUN:   --message="scale attribute must be a finite, positive value" | %FileCheck %s

// CHECK: // first bad pass: 1 assay-fault-fuse-rescale (invalid-ir)
// CHECK: // 3 of 8 operations
// CHECK: func.func @main
// CHECK-NEXT: arith.constant
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: quant.rescale_fuse
// CHECK-NEXT: return
func.func @main(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x5xf32>
  %inf = arith.constant dense<0x7F800000> : tensor<4x5xf32>
  %0 = math.tanh %x : tensor<4x5xf32>
  %1 = arith.mulf %0, %zero : tensor<4x5xf32>
  %2 = arith.mulf %1, %inf : tensor<4x5xf32>
  %3 = quant.rescale_fuse %2 {scale = 0.5 : f32} : tensor<4x5xf32>
  %4 = math.exp %3 : tensor<4x5xf32>
  %5 = arith.addf %4, %x : tensor<4x5xf32>
  return %5 : tensor<4x5xf32>
}
