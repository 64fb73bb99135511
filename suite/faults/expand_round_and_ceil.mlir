// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: round just below one half, and the sign of a zero from ceil
// source: llvm/llvm-project#218111
// pipeline: --math-expand-ops
// values: 0 0 -inf
// bad-pass: math-expand-ops
// class: miscompile
// pattern: a pattern on math.ceil

func.func @rd(%x: f32) -> f32 attributes {noinline} {
  %r = math.round %x : f32
  return %r : f32
}
func.func @re(%x: f32) -> f32 attributes {noinline} {
  %r = math.roundeven %x : f32
  return %r : f32
}
func.func @ce(%x: f32) -> f32 attributes {noinline} {
  %r = math.ceil %x : f32
  return %r : f32
}
func.func @main() {
  %h = arith.constant 0x3EFFFFFF : f32
  %0 = call @rd(%h) : (f32) -> f32
  vector.print %0 : f32
  %1 = call @re(%h) : (f32) -> f32
  vector.print %1 : f32
  %m = arith.constant -0.3 : f32
  %2 = call @ce(%m) : (f32) -> f32
  %one = arith.constant 1.0 : f32
  %3 = arith.divf %one, %2 : f32
  vector.print %3 : f32
  return
}
