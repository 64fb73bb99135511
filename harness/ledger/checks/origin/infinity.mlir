// The operation that overflows or divides by zero; an infinity that turns into a number on its way is
// no origin.
// RUN: %ledger %s --inf-origin --split-input-file 2>&1 | %FileCheck %s

func.func @main() -> f32 {
  %x = arith.constant 1.0e30 : f32
  // CHECK: inf origin: math.exp at {{.*}}infinity.mlir:[[#@LINE+1]]:8 of 1e+30: inf, seen in result 0
  %e = math.exp %x : f32
  %s = arith.addf %e, %x : f32
  return %s : f32
}

// -----

// CHECK: inf origin: none: no result holds an infinity
func.func @main() -> f32 {
  %x = arith.constant 1.0e30 : f32
  %one = arith.constant 1.0 : f32
  %e = math.exp %x : f32
  %r = arith.divf %one, %e : f32
  return %r : f32
}
