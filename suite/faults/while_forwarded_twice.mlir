// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a value that scf.condition forwards twice becomes the other branch's
// source: llvm/llvm-project#219456
// pipeline: --canonicalize
// values: 5
// bad-pass: canonicalize
// class: miscompile
// pattern: WhileMoveIfDown on scf.while

func.func @count(%n: index) -> index attributes {noinline} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c99 = arith.constant 99 : index
  %r:3 = scf.while (%s = %c0) : (index) -> (index, index, index) {
    %go = arith.cmpi slt, %s, %n : index
    %v = scf.if %go -> index {
      %nx = arith.addi %s, %c5 : index
      scf.yield %nx : index
    } else {
      scf.yield %c99 : index
    }
    scf.condition(%go) %v, %v, %s : index, index, index
  } do {
  ^bb0(%a: index, %b: index, %old: index):
    scf.yield %b : index
  }
  return %r#2 : index
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %x = call @count(%c3) : (index) -> index
  vector.print %x : index
  return
}
