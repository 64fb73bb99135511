// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: bounds and step of a loop are multiplied by a negative factor, and it does not turn any more
// source: llvm/llvm-project#56235
// pipeline: --scf-for-loop-range-folding
// bad-pass: scf-for-loop-range-folding
// class: miscompile
// values: 36

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %minus = arith.constant -1 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%so_far = %c0) -> index {
    %j = arith.muli %i, %minus : index
    %k = arith.addi %j, %c8 : index
    %next = arith.addi %so_far, %k : index
    scf.yield %next : index
  }
  vector.print %sum : index
  return
}
