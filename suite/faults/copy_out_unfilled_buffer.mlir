// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a buffer for an affine access is copied back that nothing filled, over what a memref.store left
// source: llvm/llvm-project#217538
// pipeline: --affine-data-copy-generate
// bad-pass: affine-data-copy-generate
// class: miscompile
// values: 99

memref.global "private" @table : memref<4xi32> = dense<[3, -7, 11, -13]>

func.func @main() {
  %new = arith.constant 99 : i32
  %c0 = arith.constant 0 : index
  %table = memref.get_global @table : memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.store %new, %table[0] : memref<4xi32>
    memref.store %new, %table[%c0] : memref<4xi32>
  }
  %first = affine.load %table[0] : memref<4xi32>
  vector.print %first : i32
  return
}
