// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: the init operand that a linalg.map reads gets a buffer that nobody writes
// source: llvm/llvm-project#213241
// pipeline: --one-shot-bufferize=bufferize-function-boundaries
// values: 11 22
// bad-pass: one-shot-bufferize
// class: miscompile
// step: none
// pattern: none

func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %in = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i0 = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %r = linalg.map ins(%in : tensor<2xf32>) outs(%i0 : tensor<2xf32>) (%x: f32, %o: f32) {
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  }
  %u = tensor.cast %r : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
