// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: blocks are merged that pass on other values
// source: llvm/llvm-project#126195
// pipeline: --int-range-optimizations
// bad-pass: int-range-optimizations
// class: miscompile
// values: 9 11 29

func.func @main() -> i64 {
  %c9 = index.constant 9
  %c11 = index.constant 11
  %c0 = index.constant 0
  %true = llvm.mlir.constant(true) : i1
  %wide = llvm.mlir.constant(29 : index) : i64
  %c29 = builtin.unrealized_conversion_cast %wide : i64 to index
  %false = index.bool.constant false
  cf.cond_br %false, ^one, ^two
^one:
  cf.br ^three(%c29 : index)
^two:
  cf.br ^three(%c9 : index)
^three(%a: index):
  cf.br ^four
^four:
  vector.print %a : index
  cf.cond_br %false, ^five, ^six
^five:
  cf.br ^seven(%c29 : index)
^six:
  cf.br ^seven(%c11 : index)
^seven(%b: index):
  cf.br ^eight
^eight:
  vector.print %b : index
  cf.cond_br %true, ^nine, ^ten
^nine:
  cf.br ^eleven(%c29 : index)
^ten:
  cf.br ^eleven(%c0 : index)
^eleven(%c: index):
  cf.br ^twelve
^twelve:
  %r = builtin.unrealized_conversion_cast %c : index to i64
  vector.print %c : index
  return %r : i64
}
