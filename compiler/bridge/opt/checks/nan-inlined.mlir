// A NaN that the program computes in a function that it calls is its own arithmetic's, once the call is
// inlined; the contract against any new NaN still says so.
// RUN: %opt %s --inline --nan-contract=planted | %FileCheck %s
// RUN: %not %opt %s --inline --nan-contract=error 2>&1 | %FileCheck %s --check-prefix=ANY
// CHECK: arith.constant 0x7FC00000 : f32
// ANY: which folding the program alone gives too

func.func private @quotient(%x: f32) -> f32 {
  %0 = arith.divf %x, %x : f32
  return %0 : f32
}
func.func @main() -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = call @quotient(%zero) : (f32) -> f32
  return %0 : f32
}
