// RUN: %opt %s --quant-fuse-rescale | %FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: %opt %s --quant-fuse-rescale=inexact | %FileCheck %s --check-prefixes=CHECK,INEXACT
// RUN: %opt %s --quant-fuse-rescale --nan-contract=error -o /dev/null

// CHECK-LABEL: @down
// CHECK-NEXT: quant.rescale_fuse %arg0 {scale = 1.250000e-01 : f32}
// CHECK-NEXT: return
func.func @down(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = quant.rescale_fuse %x {scale = 0.5 : f32} : tensor<4x?xf32>
  %1 = quant.rescale_fuse %0 {scale = 0.25 : f32} : tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// The power of two is the inner one, and the other is not.
// CHECK-LABEL: @up
// CHECK-NEXT: quant.rescale_fuse %arg0 {scale = 6.000000e+00 : f32}
// CHECK-NEXT: return
func.func @up(%x: f16) -> f16 {
  %0 = quant.rescale_fuse %x {scale = 4.0 : f32} : f16
  %1 = quant.rescale_fuse %0 {scale = 1.5 : f32} : f16
  return %1 : f16
}

// What a subnormal x loses at the inner one would be scaled up.
// CHECK-LABEL: @up_after
// EXACT: scale = 1.500000e+00
// EXACT: scale = 4.000000e+00
// INEXACT: scale = 6.000000e+00
func.func @up_after(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 1.5 : f32} : f32
  %1 = quant.rescale_fuse %0 {scale = 4.0 : f32} : f32
  return %1 : f32
}

// CHECK-LABEL: @products
// CHECK-NOT: arith.mulf
// CHECK: quant.rescale_fuse %arg0 {scale = 2.400000e+01 : f32} : tensor<2xf32>
func.func @products(%x: tensor<2xf32>) -> tensor<2xf32> {
  %two = arith.constant dense<2.0> : tensor<2xf32>
  %three = arith.constant dense<3.0> : tensor<2xf32>
  %0 = arith.mulf %two, %x : tensor<2xf32>
  %1 = quant.rescale_fuse %0 {scale = 4.0 : f32} : tensor<2xf32>
  %2 = arith.mulf %1, %three : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// Twice rounded is not once rounded.
// CHECK-LABEL: @rounded
// EXACT: scale = 1.500000e+00
// EXACT: scale = 1.500000e+00
// INEXACT: scale = 2.250000e+00
func.func @rounded(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 1.5 : f32} : f32
  %1 = quant.rescale_fuse %0 {scale = 1.5 : f32} : f32
  return %1 : f32
}

// x times 2^100 may be infinite, which no scale takes back.
// CHECK-LABEL: @up_and_down
// EXACT: scale = 1.2676506E+30
// EXACT: scale = 7.88860905E-31
// INEXACT: scale = 1.000000e+00
func.func @up_and_down(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 0x71800000 : f32} : f32
  %1 = quant.rescale_fuse %0 {scale = 0x0D800000 : f32} : f32
  return %1 : f32
}

// CHECK-LABEL: @one
// CHECK-NEXT: quant.rescale_fuse %arg0 {scale = 3.000000e-01 : f32}
// CHECK-NEXT: return
func.func @one(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 1.0 : f32} : f32
  %1 = quant.rescale_fuse %0 {scale = 0.3 : f32} : f32
  return %1 : f32
}

// Products that are no scale: infinity, zero, NaN, a negative number.
// CHECK-LABEL: @overflow
// CHECK-COUNT-2: quant.rescale_fuse
func.func @overflow(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 0x7F000000 : f32} : f32
  %1 = quant.rescale_fuse %0 {scale = 2.0 : f32} : f32
  return %1 : f32
}

// CHECK-LABEL: @underflow
// CHECK-COUNT-2: quant.rescale_fuse
func.func @underflow(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 0x00000001 : f32} : f32
  %1 = quant.rescale_fuse %0 {scale = 0.5 : f32} : f32
  return %1 : f32
}

// CHECK-LABEL: @zero_times_infinity
// CHECK-COUNT-2: arith.mulf
// CHECK: quant.rescale_fuse %{{.*}} {scale = 2.000000e+00 : f32}
func.func @zero_times_infinity(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %0 = arith.mulf %x, %zero : f32
  %1 = arith.mulf %0, %infinity : f32
  %2 = quant.rescale_fuse %1 {scale = 2.0 : f32} : f32
  return %2 : f32
}

// CHECK-LABEL: @negative
// CHECK: arith.mulf
// CHECK: quant.rescale_fuse %{{.*}} {scale = 2.000000e+00 : f32}
func.func @negative(%x: f32) -> f32 {
  %minus = arith.constant -2.0 : f32
  %0 = arith.mulf %x, %minus : f32
  %1 = quant.rescale_fuse %0 {scale = 2.0 : f32} : f32
  return %1 : f32
}

// Elements of their own, a constant that no f32 holds, and products without a scale are left.
// CHECK-LABEL: @left
// CHECK-COUNT-4: arith.mulf
func.func @left(%x: tensor<2xf32>, %y: f64, %z: f32) -> (tensor<2xf32>, f64, f32) {
  %each = arith.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %0 = arith.mulf %x, %each : tensor<2xf32>
  %1 = quant.rescale_fuse %0 {scale = 2.0 : f32} : tensor<2xf32>
  %wide = arith.constant 1.00000000001 : f64
  %2 = arith.mulf %y, %wide : f64
  %3 = quant.rescale_fuse %2 {scale = 2.0 : f32} : f64
  %two = arith.constant 2.0 : f32
  %4 = arith.mulf %z, %two : f32
  %5 = arith.mulf %4, %two : f32
  return %1, %3, %5 : tensor<2xf32>, f64, f32
}
