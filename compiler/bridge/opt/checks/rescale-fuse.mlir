// RUN: %opt %s | %opt | %FileCheck %s
// RUN: %opt %s --canonicalize --cse --mlir-print-op-generic | %FileCheck %s --check-prefix=GENERIC

// GENERIC-LABEL: sym_name = "smallest"
// GENERIC: "quant.rescale_fuse"(%{{.*}}) <{scale = 1.401300e-45 : f32}> : (f32) -> f32
// CHECK-LABEL: @smallest
// CHECK: quant.rescale_fuse %{{.*}} {scale = 1.401300e-45 : f32} : f32
func.func @smallest(%x: f32) -> f32 {
  %0 = quant.rescale_fuse %x {scale = 0x00000001 : f32} : f32
  return %0 : f32
}

// CHECK-LABEL: @largest
// CHECK: quant.rescale_fuse %{{.*}} {scale = 3.40282347E+38 : f32} : f64
func.func @largest(%x: f64) -> f64 {
  %0 = quant.rescale_fuse %x {scale = 0x7F7FFFFF : f32} : f64
  return %0 : f64
}

// CHECK-LABEL: @smallest_normal
func.func @smallest_normal(%x: vector<4xbf16>) -> vector<4xbf16> {
  %0 = quant.rescale_fuse %x {scale = 0x00800000 : f32} : vector<4xbf16>
  return %0 : vector<4xbf16>
}

// CHECK-LABEL: @ordinary
// CHECK: quant.rescale_fuse %{{.*}} {scale = 5.000000e-01 : f32} : tensor<4x?xf16>
func.func @ordinary(%x: tensor<4x?xf16>) -> tensor<4x?xf16> {
  %0 = quant.rescale_fuse %x {scale = 0.5 : f32} : tensor<4x?xf16>
  return %0 : tensor<4x?xf16>
}

// Pure: what nobody uses goes, and what is there twice is there once.
// GENERIC-LABEL: sym_name = "pure"
// GENERIC-NOT: scale = 3.0
// GENERIC: "quant.rescale_fuse"
// GENERIC-NOT: "quant.rescale_fuse"
func.func @pure(%x: f32) -> (f32, f32) {
  %0 = quant.rescale_fuse %x {scale = 2.0 : f32} : f32
  %1 = quant.rescale_fuse %x {scale = 2.0 : f32} : f32
  %2 = quant.rescale_fuse %x {scale = 3.0 : f32} : f32
  return %0, %1 : f32, f32
}
