// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a loop is fused across a call of another module's function that is given what it reads
// source: llvm/llvm-project#211599
// pipeline: --affine-loop-fusion
// bad-pass: affine-loop-fusion
// class: miscompile

func.func private @elsewhere(memref<?xf64>)

func.func @main(%in: memref<32xf64>, %between: memref<32xf64>, %out: memref<32xf64>) {
  affine.for %i = 0 to 16 {
    %a = affine.load %in[%i] : memref<32xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %between[%i] : memref<32xf64>
  }
  %view = memref.cast %between : memref<32xf64> to memref<?xf64>
  func.call @elsewhere(%view) : (memref<?xf64>) -> ()
  affine.for %j = 0 to 16 {
    %c = affine.load %between[%j] : memref<32xf64>
    %d = arith.addf %c, %c : f64
    affine.store %d, %out[%j] : memref<32xf64>
  }
  return
}
