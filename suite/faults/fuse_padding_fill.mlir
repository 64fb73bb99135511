// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: the fill of a convolution's padding is fused behind the copy of what it surrounds
// source: llvm/llvm-project#132155
// pipeline: --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),one-shot-bufferize{bufferize-function-boundaries},convert-linalg-to-affine-loops,func.func(affine-loop-fusion))'
// bad-pass: affine-loop-fusion
// class: miscompile

func.func @main() -> tensor<1x1x3x2xf32> {
  %x = "tosa.const"() <{values = dense<2.0> : tensor<1x3x5x2xf32>}> : () -> tensor<1x3x5x2xf32>
  %w = "tosa.const"() <{values = dense<3.0> : tensor<2x2x3x2xf32>}> : () -> tensor<2x2x3x2xf32>
  %b = "tosa.const"() <{values = dense<4.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 2>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x3x5x2xf32>, tensor<2x2x3x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x4x3x2xf32>
  %s = tosa.reduce_sum %c {axis = 1 : i32} : (tensor<1x4x3x2xf32>) -> tensor<1x1x3x2xf32>
  return %s : tensor<1x1x3x2xf32>
}
