// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: truncf to an 8-bit float stays in a function of the llvm dialect
// source: llvm/llvm-project#221950
// pipeline: --arith-expand=include-bf16=true --convert-arith-to-llvm --convert-func-to-llvm
// bad-pass: convert-arith-to-llvm
// class: unlowered
// step: none
// pattern: none

func.func @q(%x: f32) -> f32 {
  %0 = arith.truncf %x : f32 to f8E4M3FN
  %1 = arith.extf %0 : f8E4M3FN to f32
  return %1 : f32
}
