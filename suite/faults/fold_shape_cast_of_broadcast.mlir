// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: shape_cast of a broadcast folds to a broadcast along another axis
// source: iree-org/iree#23952, llvm/llvm-project#190614
// pipeline: --canonicalize
// values: 1 2 1 2
// bad-pass: canonicalize
// class: miscompile
// pattern: ShapeCastBroadcastFolder on vector.shape_cast

func.func @spread(%a: vector<2x1xf32>) -> vector<2x2xf32> attributes {noinline} {
  %b = vector.broadcast %a : vector<2x1xf32> to vector<2x2x1xf32>
  %c = vector.shape_cast %b : vector<2x2x1xf32> to vector<2x2xf32>
  return %c : vector<2x2xf32>
}
func.func @main() {
  %a = arith.constant dense<[[1.0], [2.0]]> : vector<2x1xf32>
  %h = call @spread(%a) : (vector<2x1xf32>) -> vector<2x2xf32>
  vector.print %h : vector<2x2xf32>
  return
}
