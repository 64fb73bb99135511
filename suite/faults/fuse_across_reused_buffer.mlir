// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: softmax's statistics share a buffer, which fusion resets before its last reader
// pipeline: --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-affine-loops --affine-loop-fusion=maximal=true
// values: 0.268941 0.731059 0.119203 0.880797
// bad-pass: affine-loop-fusion
// class: miscompile

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func private @printMemrefF32(tensor<*xf32>)
func.func @softmax(%x: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {noinline} {
  %z = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2xf32>
  %e2 = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %mx = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x2xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %ep = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mx : tensor<2x2xf32>, tensor<2xf32>) outs(%e2 : tensor<2x2xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %d = arith.subf %a, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x2xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %dn = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%ep : tensor<2x2xf32>) outs(%f2 : tensor<2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %sm = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%ep, %dn : tensor<2x2xf32>, tensor<2xf32>) outs(%e2 : tensor<2x2xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %r = arith.divf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x2xf32>
  return %sm : tensor<2x2xf32>
}
func.func @main() {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 5.0]]> : tensor<2x2xf32>
  %r = call @softmax(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %u = tensor.cast %r : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  return
}
