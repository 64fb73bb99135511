// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: maximumf keeps a NaN, maxnumf drops it, folded or not
// source: llvm/llvm-project#114594
// pipeline: --canonicalize
// values: nan 1 nan 1 -inf inf
// bad-pass: none

func.func @mx(%a: f32, %b: f32) -> f32 attributes {noinline} {
  %r = arith.maximumf %a, %b : f32
  return %r : f32
}
func.func @main() {
  %n = arith.constant 0x7FC00000 : f32
  %o = arith.constant 1.0 : f32
  %ni = arith.constant 0xFF800000 : f32
  %pi = arith.constant 0x7F800000 : f32
  %0 = arith.maximumf %o, %n : f32
  vector.print %0 : f32
  %1 = arith.maxnumf %o, %n : f32
  vector.print %1 : f32
  %2 = arith.minimumf %n, %o : f32
  vector.print %2 : f32
  %3 = arith.minnumf %n, %o : f32
  vector.print %3 : f32
  %4 = arith.maxnumf %n, %ni : f32
  vector.print %4 : f32
  %5 = arith.minnumf %n, %pi : f32
  vector.print %5 : f32
  return
}
