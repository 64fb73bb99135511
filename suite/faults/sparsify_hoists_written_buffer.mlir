// fault: a buffer that each turn of a loop fills and changes is made once, before the loop
// source: llvm/llvm-project#218091
// pipeline: --sparsification-and-bufferization
// values: -1
// bad-pass: sparsification-and-bufferization
// class: miscompile

func.func @g6(%a: i64, %cb: i64) -> i64 {
  %i0 = index.constant 0
  %i8 = index.constant 8
  %i1 = index.constant 1
  %i4 = index.constant 4
  %start = index.casts %a : i64 to index
  %r = scf.for %k = %i0 to %i8 step %i1 iter_args(%acc = %start) -> (index) {
    %t = tensor.from_elements %a, %a, %a, %cb, %cb, %a, %a, %cb, %cb, %a, %a, %cb, %cb, %cb, %cb, %cb : tensor<4x4xi64>
    %p = index.remu %k, %i4
    %e = tensor.extract %t[%p, %p] : tensor<4x4xi64>
    %q = index.remu %acc, %i4
    %e0 = tensor.extract %t[%q, %q] : tensor<4x4xi64>
    %u = tensor.from_elements %e0, %e0, %e0, %e0, %e0, %e0, %e0, %cb : tensor<8xi64>
    %f = tensor.extract %u[%k] : tensor<8xi64>
    %w = tensor.from_elements %cb, %e0, %e, %e0, %f, %e0, %f, %f : tensor<8xi64>
    %s = index.remu %acc, %i8
    %e4 = tensor.extract %w[%s] : tensor<8xi64>
    %ins = tensor.insert %e4 into %t[%p, %p] : tensor<4x4xi64>
    %e6 = tensor.extract %ins[%p, %p] : tensor<4x4xi64>
    %n = index.castu %e6 : i64 to index
    scf.yield %n : index
  }
  %out = index.castu %r : index to i64
  return %out : i64
}
func.func @main() {
  %a = arith.constant -1 : i64
  %b = arith.constant -1992215323 : i64
  %r = func.call @g6(%a, %b) : (i64, i64) -> i64
  vector.print %r : i64
  return
}
