// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: extended products and sums of one bit
// source: llvm/llvm-project#88732
// pipeline: --canonicalize
// values: 1 0 0 1
// bad-pass: none

func.func @main() {
  %t = arith.constant true
  %l, %h = arith.mulsi_extended %t, %t : i1
  vector.print %l : i1
  vector.print %h : i1
  %s, %o = arith.addui_extended %t, %t : i1, i1
  vector.print %s : i1
  vector.print %o : i1
  return
}
