// fault: a negative number to a whole power goes through a logarithm and is NaN
// source: found by running this ledger on math-expand-ops' own kinds of input
// pipeline: --math-expand-ops
// values: -8 4
// bad-pass: math-expand-ops
// class: miscompile
// pattern: a pattern on math.powf

func.func @power(%base: f32, %exponent: i32) {
  %0 = math.fpowi %base, %exponent : f32, i32
  vector.print %0 : f32
  return
}
func.func @main() {
  %base = arith.constant -2.0 : f32
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  call @power(%base, %c3) : (f32, i32) -> ()
  call @power(%base, %c2) : (f32, i32) -> ()
  return
}
