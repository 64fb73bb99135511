// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: the decomposition of linalg.softmax plants a NaN that is maxnumf's neutral element
// source: iree-org/iree#24175, llvm/llvm-project#118952, pytorch/pytorch#131060
// pipeline: --transform-interpreter --test-transform-dialect-erase-schedule
// values: 0.0320586 0.0871443 0.236883 0.643914 nan nan nan nan nan nan nan nan
// bad-pass: none

module attributes {transform.with_named_sequence} {
  func.func private @printMemrefF32(tensor<*xf32>)
  func.func @sm(%x: tensor<3x4xf32>) -> tensor<3x4xf32> attributes {noinline} {
    %e = tensor.empty() : tensor<3x4xf32>
    %r = linalg.softmax dimension(1) ins(%x : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %r : tensor<3x4xf32>
  }
  func.func @main() {
    %x = arith.constant dense<[[1.0, 2.0, 3.0, 4.0],[0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],[0.0, 0x7FC00000, 1.0, 2.0]]> : tensor<3x4xf32>
    %r = call @sm(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %u = tensor.cast %r : tensor<3x4xf32> to tensor<*xf32>
    call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
    return
  }
  transform.named_sequence @__transform_main(%a: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.softmax"]} in %a : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
