// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a contraction with a transposed operand becomes a plain linalg.matmul
// source: llvm/llvm-project#181387
// pipeline: --linalg-specialize-generic-ops
// values: 17 23 39 53 26 30 38 44
// bad-pass: linalg-specialize-generic-ops
// class: miscompile
// pattern: LinalgSpecializationPattern on linalg.generic

#q = affine_map<(i, j, k) -> (i, k)>
#kt = affine_map<(i, j, k) -> (j, k)>
#at = affine_map<(i, j, k) -> (k, i)>
#kn = affine_map<(i, j, k) -> (k, j)>
#o = affine_map<(i, j, k) -> (i, j)>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main() {
  %q = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %k = arith.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  %s = linalg.generic {indexing_maps = [#q, #kt, #o], iterator_types = ["parallel", "parallel", "reduction"]}
       ins(%q, %k : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  %u = tensor.cast %s : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  %s2 = linalg.generic {indexing_maps = [#at, #kn, #o], iterator_types = ["parallel", "parallel", "reduction"]}
       ins(%q, %k : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x2xf32>
  %u2 = tensor.cast %s2 : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  return
}
