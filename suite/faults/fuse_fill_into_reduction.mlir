// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a fill fused into a tiled reduction clears the accumulator at every tile
// source: llvm/llvm-project#58398
// pipeline: --transform-interpreter --test-transform-dialect-erase-schedule
// values: 28 28 28 28
// bad-pass: transform-interpreter
// class: miscompile
// step: transform.structured.fuse
// pattern: none

module attributes {transform.with_named_sequence} {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @mm(%a: tensor<2x7xf32>, %b: tensor<7x2xf32>) -> tensor<2x2xf32> attributes {noinline} {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x2xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %r = linalg.matmul ins(%a, %b : tensor<2x7xf32>, tensor<7x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  }
  func.func @main() {
    %a = arith.constant dense<1.0> : tensor<2x7xf32>
    %b = arith.constant dense<[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0], [5.0, 5.0], [6.0, 6.0], [7.0, 7.0]]> : tensor<7x2xf32>
    %r = call @mm(%a, %b) : (tensor<2x7xf32>, tensor<7x2xf32>) -> tensor<2x2xf32>
    %u = tensor.cast %r : tensor<2x2xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.fuse %0 tile_sizes [0, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
