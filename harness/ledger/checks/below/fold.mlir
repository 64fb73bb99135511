// What folding alone does is no pattern's doing, and is said of drivers that fold; sccp has none.
// RUN: %not %ledger %s --canonicalize 2>&1 | %FileCheck %s --check-prefix=FOLD
// RUN: %not %ledger %s --sccp 2>&1 | %FileCheck %s --check-prefix=NONE --implicit-check-not=inside
// FOLD: inside the pass: pattern fold{{$}}
// NONE: first bad pass: 1 sccp (nan-attribute)

func.func @main() -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = arith.divf %zero, %zero : f32
  return %0 : f32
}
