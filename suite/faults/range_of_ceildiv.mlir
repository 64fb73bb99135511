// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: ceildivsi of the smallest integer changes its sign
// source: llvm/llvm-project#115293
// pipeline: --int-range-optimizations --arith-expand
// values: -18 -9223372036854775
// bad-pass: int-range-optimizations
// class: miscompile
// pattern: MaterializeKnownConstantValues on arith.ceildivsi

func.func @main() {
  %m = arith.constant -128 : i8
  %s = arith.constant 7 : i8
  %0 = arith.ceildivsi %m, %s : i8
  vector.print %0 : i8
  %m2 = arith.constant -9223372036854775808 : i64
  %s2 = arith.constant 1000 : i64
  %1 = arith.ceildivsi %m2, %s2 : i64
  vector.print %1 : i64
  return
}
