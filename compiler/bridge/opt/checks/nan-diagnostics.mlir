// A broken contract is an ordinary error, piece by piece.
// RUN: %opt %s -split-input-file -verify-diagnostics --nan-contract=error \
// RUN:   --pass-pipeline='builtin.module(func.func(canonicalize),cse)'

func.func @has_one_from_the_start() -> (f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %0 = arith.divf %zero, %zero : f32
  return %nan, %0 : f32, f32
}

// -----

func.func @makes_one() -> f32 {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{holds a NaN 'f32' attribute (0x7FC00000) that pass 'canonicalize' made}}
  %0 = arith.divf %zero, %zero : f32
  return %0 : f32
}

// -----

func.func @makes_none() -> f32 {
  %zero = arith.constant 0.0 : f32
  %0 = arith.addf %zero, %zero : f32
  return %0 : f32
}
