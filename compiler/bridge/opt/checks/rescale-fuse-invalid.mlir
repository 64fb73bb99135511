// RUN: %opt %s -split-input-file -verify-diagnostics

// A quiet NaN.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0x7FC00000 : f32} : f32
  return %0 : f32
}

// -----

// A quiet NaN with its sign.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0xFFC00000 : f32} : f32
  return %0 : f32
}

// -----

// A quiet NaN with a payload.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0x7FC12345 : f32} : f32
  return %0 : f32
}

// -----

// A signalling NaN.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0x7F800001 : f32} : f32
  return %0 : f32
}

// -----

// A signalling NaN with its sign.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0xFFBFFFFF : f32} : f32
  return %0 : f32
}

// -----

// Infinity.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0x7F800000 : f32} : f32
  return %0 : f32
}

// -----

// Minus infinity.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0xFF800000 : f32} : f32
  return %0 : f32
}

// -----

// Zero.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0.0 : f32} : f32
  return %0 : f32
}

// -----

// Minus zero.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = -0.0 : f32} : f32
  return %0 : f32
}

// -----

// A negative number.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = -1.0 : f32} : f32
  return %0 : f32
}

// -----

// The smallest negative number.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0x80000001 : f32} : f32
  return %0 : f32
}

// -----

// The largest negative number.
func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{'quant.rescale_fuse' op scale attribute must be a finite, positive value}}
  %0 = quant.rescale_fuse %x {scale = 0xFF7FFFFF : f32} : f32
  return %0 : f32
}

// -----

// What is valid beside it is no error: the smallest subnormal, the largest number, one.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = quant.rescale_fuse %x {scale = 0x00000001 : f32} : tensor<4xf32>
  %1 = quant.rescale_fuse %0 {scale = 0x7F7FFFFF : f32} : tensor<4xf32>
  %2 = quant.rescale_fuse %1 {scale = 1.0 : f32} : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{attribute 'scale' failed to satisfy constraint: 32-bit float attribute}}
  %0 = quant.rescale_fuse %x {scale = 1.0 : f64} : f32
  return %0 : f32
}

// -----

func.func @f(%x: f32) -> f32 {
  // expected-error @+1 {{requires attribute 'scale'}}
  %0 = quant.rescale_fuse %x : f32
  return %0 : f32
}

// -----

func.func @f(%x: i32) -> i32 {
  // expected-error @+1 {{operand #0 must be f16, bf16, f32 or f64, or a tensor or vector of these}}
  %0 = quant.rescale_fuse %x {scale = 1.0 : f32} : i32
  return %0 : i32
}
