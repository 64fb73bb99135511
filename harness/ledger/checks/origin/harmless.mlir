// A NaN that a select throws away is the origin of nothing; of two, the one is named that comes
// through.
// RUN: %ledger %s --nan-origin --split-input-file 2>&1 | %FileCheck %s

// CHECK: nan origin: none: no result holds a NaN
func.func @main() -> f32 {
  %0 = arith.constant 0.0 : f32
  %1 = arith.divf %0, %0 : f32
  %2 = arith.cmpf uno, %1, %1 : f32
  %3 = arith.select %2, %0, %1 : f32
  return %3 : f32
}

// -----

func.func @main() -> f32 {
  %0 = arith.constant 0.0 : f32
  %m = arith.constant -1.0 : f32
  %1 = arith.divf %0, %0 : f32
  %2 = arith.cmpf uno, %1, %1 : f32
  %3 = arith.select %2, %0, %1 : f32
  // CHECK: nan origin: math.sqrt at {{.*}}harmless.mlir:[[#@LINE+1]]:8 of -1: nan
  %4 = math.sqrt %m : f32
  %5 = arith.addf %3, %4 : f32
  return %5 : f32
}
