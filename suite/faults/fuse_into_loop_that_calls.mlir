// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a loop is fused into one that hands what it reads to another module's function
// source: llvm/llvm-project#211591
// pipeline: --pass-pipeline='builtin.module(func.func(affine-loop-fusion{mode=producer maximal}))'
// bad-pass: affine-loop-fusion
// class: miscompile

func.func private @elsewhere(memref<32xf64>)

func.func @main(%in: memref<32xf64>, %between: memref<32xf64>, %out: memref<32xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %in[%i] : memref<32xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %between[%i] : memref<32xf64>
    func.call @elsewhere(%between) : (memref<32xf64>) -> ()
  }
  affine.for %j = 0 to 16 {
    %c = affine.load %between[%j] : memref<32xf64>
    %d = arith.addf %c, %c : f64
    affine.store %d, %out[%j] : memref<32xf64>
  }
  return
}
