// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a vectorized tensor.insert_slice forgets its stride
// source: llvm/llvm-project#221293
// pipeline: --transform-interpreter --test-transform-dialect-erase-schedule
// values: 0 1 0 2 0 3 0 4 0 5 0 6
// bad-pass: transform-interpreter
// class: miscompile
// step: transform.structured.vectorize
// pattern: none

module attributes {transform.with_named_sequence} {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @put(%s: tensor<2x3xf32>, %d: tensor<2x6xf32>) -> tensor<2x6xf32> attributes {noinline} {
    %r = tensor.insert_slice %s into %d[0, 1] [2, 3] [1, 2] : tensor<2x3xf32> into tensor<2x6xf32>
    return %r : tensor<2x6xf32>
  }
  func.func @main() {
    %s = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x6xf32>
    %d = linalg.fill ins(%z : f32) outs(%e : tensor<2x6xf32>) -> tensor<2x6xf32>
    %r = call @put(%s, %d) : (tensor<2x3xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %u = tensor.cast %r : tensor<2x6xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.insert_slice"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %0 vector_sizes [2, 3] : !transform.any_op
    transform.yield
  }
}
