// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: truncf to bf16 rounds to nearest even and keeps NaN a NaN
// source: llvm/llvm-project#221950, microsoft/triton-shared#155
// pipeline: --arith-expand=include-bf16=true
// values: 1 -128 16256 16258 32640
// bad-pass: none

func.func @t(%x: f32) -> i16 attributes {noinline} {
  %r = arith.truncf %x : f32 to bf16
  %b = arith.bitcast %r : bf16 to i16
  return %b : i16
}
func.func @main() {
  %0 = arith.constant 0x7F800001 : f32
  %a = call @t(%0) : (f32) -> i16
  %inf = arith.constant 32640 : i16
  %msk = arith.constant 32767 : i16
  %am = arith.andi %a, %msk : i16
  %isnan = arith.cmpi ugt, %am, %inf : i16
  %isn = arith.extui %isnan : i1 to i16
  vector.print %isn : i16
  %2 = arith.constant 0xFF800000 : f32
  %c = call @t(%2) : (f32) -> i16
  vector.print %c : i16
  %3 = arith.constant 0x3F808000 : f32
  %d = call @t(%3) : (f32) -> i16
  vector.print %d : i16
  %4 = arith.constant 0x3F818000 : f32
  %e = call @t(%4) : (f32) -> i16
  vector.print %e : i16
  %5 = arith.constant 0x7F7FFFFF : f32
  %f = call @t(%5) : (f32) -> i16
  vector.print %f : i16
  return
}
