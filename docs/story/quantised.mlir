// A layer in whole numbers with a channel mask, on its way back to real ones. The mask of this layer
// is 0, since its head was pruned; the two gains undo two scales of the producer.
func.func @main(%x: tensor<4x8xi8>, %w: tensor<8x4xi8>, %skip: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : i32
  %mask = arith.constant dense<0.0> : tensor<4x4xf32>
  %gain = arith.constant dense<1.0e+30> : tensor<4x4xf32>
  %empty = tensor.empty() : tensor<4x4xi32>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x4xi32>) -> tensor<4x4xi32>
  %sum = linalg.matmul ins(%x, %w : tensor<4x8xi8>, tensor<8x4xi8>) outs(%start : tensor<4x4xi32>) -> tensor<4x4xi32>
  %real = arith.sitofp %sum : tensor<4x4xi32> to tensor<4x4xf32>
  %kept = arith.mulf %real, %mask : tensor<4x4xf32>
  %once = arith.mulf %kept, %gain : tensor<4x4xf32>
  %twice = arith.mulf %once, %gain : tensor<4x4xf32>
  %scaled = quant.rescale_fuse %twice {scale = 0.5 : f32} : tensor<4x4xf32>
  %out = arith.addf %scaled, %skip : tensor<4x4xf32>
  %result = math.tanh %out : tensor<4x4xf32>
  return %result : tensor<4x4xf32>
}
