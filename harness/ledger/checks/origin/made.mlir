// The first operation that makes a NaN from operands that hold none, with its place and the operands'
// values: by division, by a function, by infinities, by a reduction.
// RUN: %ledger %s --nan-origin --split-input-file 2>&1 | %FileCheck %s

func.func @main() -> f32 {
  %0 = arith.constant 0.0 : f32
  // CHECK: nan origin: arith.divf at {{.*}}made.mlir:[[#@LINE+1]]:8 of 0, 0: nan, seen in result 0
  %1 = arith.divf %0, %0 : f32
  %2 = arith.addf %1, %0 : f32
  return %2 : f32
}

// -----

func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %n = math.absf %a : tensor<3xf32>
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %p = arith.addf %n, %one : tensor<3xf32>
  %m = arith.negf %p : tensor<3xf32>
  // CHECK: nan origin: math.log at {{.*}}made.mlir:[[#@LINE+1]]:8 of -{{[0-9.]+}}: nan, seen in result 0[0]
  %r = math.log %m : tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @main() -> f16 {
  %max = arith.constant 6.0e4 : f16
  %i = arith.addf %max, %max : f16
  // CHECK: nan origin: arith.subf at {{.*}}made.mlir:[[#@LINE+1]]:8 of inf, inf: nan, seen in result 0
  %1 = arith.subf %i, %i : f16
  return %1 : f16
}
