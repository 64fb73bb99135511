#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<6x8xf32> {bufferization.writable = false}, %arg1: tensor<8xf32> {bufferization.writable = false}, %arg2: tensor<8xf32> {bufferization.writable = false}, %arg3: tensor<8x24xf32> {bufferization.writable = false}, %arg4: tensor<24xf32> {bufferization.writable = false}, %arg5: tensor<8x8xf32> {bufferization.writable = false}, %arg6: tensor<8xf32> {bufferization.writable = false}, %arg7: tensor<8xf32> {bufferization.writable = false}, %arg8: tensor<8xf32> {bufferization.writable = false}, %arg9: tensor<8x32xf32> {bufferization.writable = false}, %arg10: tensor<32xf32> {bufferization.writable = false}, %arg11: tensor<32x8xf32> {bufferization.writable = false}, %arg12: tensor<8xf32> {bufferization.writable = false}) -> tensor<6x8xf64> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x8xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %139 = arith.addf %in, %out fastmath<reassoc> : f32
      linalg.yield %139 : f32
    } -> tensor<6xf32>
    %cst_0 = arith.constant dense<[6, 1]> : tensor<2xi64>
    %reshape = tensor.reshape %2(%cst_0) : (tensor<6xf32>, tensor<2xi64>) -> tensor<6x1xf32>
    %3 = tensor.empty() : tensor<6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%reshape : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_32 = arith.constant 8.000000e+00 : f32
      %139 = arith.divf %in, %cst_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x1xf32>
    %5 = tensor.empty() : tensor<6x8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<6x8xf32>, tensor<6x1xf32>) outs(%5 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %139 = arith.subf %in, %in_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x8xf32>
    %7 = tensor.empty() : tensor<6x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%7 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %139 = arith.mulf %in, %in_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x8xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<6xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<6xf32>) -> tensor<6xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<6x8xf32>) outs(%10 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %139 = arith.addf %in, %out fastmath<reassoc> : f32
      linalg.yield %139 : f32
    } -> tensor<6xf32>
    %cst_2 = arith.constant dense<[6, 1]> : tensor<2xi64>
    %reshape_3 = tensor.reshape %11(%cst_2) : (tensor<6xf32>, tensor<2xi64>) -> tensor<6x1xf32>
    %12 = tensor.empty() : tensor<6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%reshape_3 : tensor<6x1xf32>) outs(%12 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_32 = arith.constant 8.000000e+00 : f32
      %139 = arith.divf %in, %cst_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x1xf32>
    %14 = tensor.empty() : tensor<6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<6x1xf32>) outs(%14 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_32 = arith.constant 9.99999974E-6 : f32
      %139 = arith.addf %in, %cst_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x1xf32>
    %16 = tensor.empty() : tensor<6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<6x1xf32>) outs(%16 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %139 = math.sqrt %in : f32
      linalg.yield %139 : f32
    } -> tensor<6x1xf32>
    %18 = tensor.empty() : tensor<6x8xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %17 : tensor<6x8xf32>, tensor<6x1xf32>) outs(%18 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %139 = arith.divf %in, %in_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x8xf32>
    %20 = tensor.empty() : tensor<6x8xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %arg1 : tensor<6x8xf32>, tensor<8xf32>) outs(%20 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %139 = arith.mulf %in, %in_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x8xf32>
    %22 = tensor.empty() : tensor<6x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg2 : tensor<6x8xf32>, tensor<8xf32>) outs(%22 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %139 = arith.addf %in, %in_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x8xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %24 = tensor.empty() : tensor<6x24xf32>
    %25 = linalg.fill ins(%cst_4 : f32) outs(%24 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %26 = linalg.matmul ins(%23, %arg3 : tensor<6x8xf32>, tensor<8x24xf32>) outs(%25 : tensor<6x24xf32>) -> tensor<6x24xf32>
    %27 = tensor.empty() : tensor<6x24xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %arg4 : tensor<6x24xf32>, tensor<24xf32>) outs(%27 : tensor<6x24xf32>) {
    ^bb0(%in: f32, %in_32: f32, %out: f32):
      %139 = arith.addf %in, %in_32 : f32
      linalg.yield %139 : f32
    } -> tensor<6x24xf32>
    %extracted_slice = tensor.extract_slice %28[0, 0] [6, 8] [1, 1] : tensor<6x24xf32> to tensor<6x8xf32>
    %expanded = tensor.expand_shape %extracted_slice [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
    %29 = tensor.empty() : tensor<2x6x4xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<6x2x4xf32>) outs(%29 : tensor<2x6x4xf32>) permutation = [1, 0, 2] 
    %extracted_slice_5 = tensor.extract_slice %28[0, 8] [6, 8] [1, 1] : tensor<6x24xf32> to tensor<6x8xf32>
    %expanded_6 = tensor.expand_shape %extracted_slice_5 [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
    %30 = tensor.empty() : tensor<2x6x4xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<6x2x4xf32>) outs(%30 : tensor<2x6x4xf32>) permutation = [1, 0, 2] 
    %extracted_slice_8 = tensor.extract_slice %28[0, 16] [6, 8] [1, 1] : tensor<6x24xf32> to tensor<6x8xf32>
    %expanded_9 = tensor.expand_shape %extracted_slice_8 [[0], [1, 2]] output_shape [6, 2, 4] : tensor<6x8xf32> into tensor<6x2x4xf32>
    %31 = tensor.empty() : tensor<2x6x4xf32>
    %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<6x2x4xf32>) outs(%31 : tensor<2x6x4xf32>) permutation = [1, 0, 2] 
    %32 = tensor.empty() : tensor<2x4x6xf32>
    %transposed_11 = linalg.transpose ins(%transposed_7 : tensor<2x6x4xf32>) outs(%32 : tensor<2x4x6xf32>) permutation = [0, 2, 1] 
    %cst_12 = arith.constant 0.000000e+00 : f32
    %33 = tensor.empty() : tensor<2x6x6xf32>
    %34 = linalg.fill ins(%cst_12 : f32) outs(%33 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %35 = linalg.batch_matmul ins(%transposed, %transposed_11 : tensor<2x6x4xf32>, tensor<2x4x6xf32>) outs(%34 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %36 = tensor.empty() : tensor<2x6x6xf64>
    %37 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x6x6xf32>) outs(%36 : tensor<2x6x6xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<2x6x6xf64>
    %38 = tensor.empty() : tensor<2x6x6xf64>
    %39 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<2x6x6xf64>) outs(%38 : tensor<2x6x6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 2.000000e+00 : f64
      %139 = arith.divf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<2x6x6xf64>
    %40 = tensor.empty() : tensor<6x6xf64>
    %41 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%40 : tensor<6x6xf64>) {
    ^bb0(%out: f64):
      %139 = linalg.index 0 : index
      %140 = linalg.index 1 : index
      %141 = arith.cmpi sle, %140, %139 : index
      %cst_32 = arith.constant 0.000000e+00 : f64
      %cst_33 = arith.constant -1.000000e+10 : f64
      %142 = arith.select %141, %cst_32, %cst_33 : f64
      linalg.yield %142 : f64
    } -> tensor<6x6xf64>
    %42 = tensor.empty() : tensor<2x6x6xf64>
    %43 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %41 : tensor<2x6x6xf64>, tensor<6x6xf64>) outs(%42 : tensor<2x6x6xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<2x6x6xf64>
    %cst_13 = arith.constant 0xFFF0000000000000 : f64
    %44 = tensor.empty() : tensor<2x6xf64>
    %45 = linalg.fill ins(%cst_13 : f64) outs(%44 : tensor<2x6xf64>) -> tensor<2x6xf64>
    %46 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%43 : tensor<2x6x6xf64>) outs(%45 : tensor<2x6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = arith.maximumf %in, %out fastmath<reassoc> : f64
      linalg.yield %139 : f64
    } -> tensor<2x6xf64>
    %cst_14 = arith.constant dense<[2, 6, 1]> : tensor<3xi64>
    %reshape_15 = tensor.reshape %46(%cst_14) : (tensor<2x6xf64>, tensor<3xi64>) -> tensor<2x6x1xf64>
    %47 = tensor.empty() : tensor<2x6x6xf64>
    %48 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43, %reshape_15 : tensor<2x6x6xf64>, tensor<2x6x1xf64>) outs(%47 : tensor<2x6x6xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.subf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<2x6x6xf64>
    %49 = tensor.empty() : tensor<2x6x6xf64>
    %50 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<2x6x6xf64>) outs(%49 : tensor<2x6x6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = math.exp %in : f64
      linalg.yield %139 : f64
    } -> tensor<2x6x6xf64>
    %cst_16 = arith.constant 0.000000e+00 : f64
    %51 = tensor.empty() : tensor<2x6xf64>
    %52 = linalg.fill ins(%cst_16 : f64) outs(%51 : tensor<2x6xf64>) -> tensor<2x6xf64>
    %53 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%50 : tensor<2x6x6xf64>) outs(%52 : tensor<2x6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = arith.addf %in, %out fastmath<reassoc> : f64
      linalg.yield %139 : f64
    } -> tensor<2x6xf64>
    %cst_17 = arith.constant dense<[2, 6, 1]> : tensor<3xi64>
    %reshape_18 = tensor.reshape %53(%cst_17) : (tensor<2x6xf64>, tensor<3xi64>) -> tensor<2x6x1xf64>
    %54 = tensor.empty() : tensor<2x6x6xf64>
    %55 = linalg.generic {indexing_maps = [#map4, #map7, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50, %reshape_18 : tensor<2x6x6xf64>, tensor<2x6x1xf64>) outs(%54 : tensor<2x6x6xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.divf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<2x6x6xf64>
    %56 = tensor.empty() : tensor<2x6x4xf64>
    %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_10 : tensor<2x6x4xf32>) outs(%56 : tensor<2x6x4xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<2x6x4xf64>
    %cst_19 = arith.constant 0.000000e+00 : f64
    %58 = tensor.empty() : tensor<2x6x4xf64>
    %59 = linalg.fill ins(%cst_19 : f64) outs(%58 : tensor<2x6x4xf64>) -> tensor<2x6x4xf64>
    %60 = linalg.batch_matmul ins(%55, %57 : tensor<2x6x6xf64>, tensor<2x6x4xf64>) outs(%59 : tensor<2x6x4xf64>) -> tensor<2x6x4xf64>
    %61 = tensor.empty() : tensor<6x2x4xf64>
    %transposed_20 = linalg.transpose ins(%60 : tensor<2x6x4xf64>) outs(%61 : tensor<6x2x4xf64>) permutation = [1, 0, 2] 
    %cst_21 = arith.constant dense<[6, 8]> : tensor<2xi64>
    %reshape_22 = tensor.reshape %transposed_20(%cst_21) : (tensor<6x2x4xf64>, tensor<2xi64>) -> tensor<6x8xf64>
    %62 = tensor.empty() : tensor<8x8xf64>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<8x8xf32>) outs(%62 : tensor<8x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<8x8xf64>
    %cst_23 = arith.constant 0.000000e+00 : f64
    %64 = tensor.empty() : tensor<6x8xf64>
    %65 = linalg.fill ins(%cst_23 : f64) outs(%64 : tensor<6x8xf64>) -> tensor<6x8xf64>
    %66 = linalg.matmul ins(%reshape_22, %63 : tensor<6x8xf64>, tensor<8x8xf64>) outs(%65 : tensor<6x8xf64>) -> tensor<6x8xf64>
    %67 = tensor.empty() : tensor<8xf64>
    %68 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg6 : tensor<8xf32>) outs(%67 : tensor<8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<8xf64>
    %69 = tensor.empty() : tensor<6x8xf64>
    %70 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%66, %68 : tensor<6x8xf64>, tensor<8xf64>) outs(%69 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %71 = tensor.empty() : tensor<6x8xf64>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x8xf32>) outs(%71 : tensor<6x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %73 = tensor.empty() : tensor<6x8xf64>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%72, %70 : tensor<6x8xf64>, tensor<6x8xf64>) outs(%73 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %cst_24 = arith.constant 0.000000e+00 : f64
    %75 = tensor.empty() : tensor<6xf64>
    %76 = linalg.fill ins(%cst_24 : f64) outs(%75 : tensor<6xf64>) -> tensor<6xf64>
    %77 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%74 : tensor<6x8xf64>) outs(%76 : tensor<6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = arith.addf %in, %out fastmath<reassoc> : f64
      linalg.yield %139 : f64
    } -> tensor<6xf64>
    %cst_25 = arith.constant dense<[6, 1]> : tensor<2xi64>
    %reshape_26 = tensor.reshape %77(%cst_25) : (tensor<6xf64>, tensor<2xi64>) -> tensor<6x1xf64>
    %78 = tensor.empty() : tensor<6x1xf64>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%reshape_26 : tensor<6x1xf64>) outs(%78 : tensor<6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 8.000000e+00 : f64
      %139 = arith.divf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x1xf64>
    %80 = tensor.empty() : tensor<6x8xf64>
    %81 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%74, %79 : tensor<6x8xf64>, tensor<6x1xf64>) outs(%80 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.subf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %82 = tensor.empty() : tensor<6x8xf64>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%81, %81 : tensor<6x8xf64>, tensor<6x8xf64>) outs(%82 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.mulf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %cst_27 = arith.constant 0.000000e+00 : f64
    %84 = tensor.empty() : tensor<6xf64>
    %85 = linalg.fill ins(%cst_27 : f64) outs(%84 : tensor<6xf64>) -> tensor<6xf64>
    %86 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%83 : tensor<6x8xf64>) outs(%85 : tensor<6xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = arith.addf %in, %out fastmath<reassoc> : f64
      linalg.yield %139 : f64
    } -> tensor<6xf64>
    %cst_28 = arith.constant dense<[6, 1]> : tensor<2xi64>
    %reshape_29 = tensor.reshape %86(%cst_28) : (tensor<6xf64>, tensor<2xi64>) -> tensor<6x1xf64>
    %87 = tensor.empty() : tensor<6x1xf64>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%reshape_29 : tensor<6x1xf64>) outs(%87 : tensor<6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 8.000000e+00 : f64
      %139 = arith.divf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x1xf64>
    %89 = tensor.empty() : tensor<6x1xf64>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%88 : tensor<6x1xf64>) outs(%89 : tensor<6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 1.000000e-05 : f64
      %139 = arith.addf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x1xf64>
    %91 = tensor.empty() : tensor<6x1xf64>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<6x1xf64>) outs(%91 : tensor<6x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = math.sqrt %in : f64
      linalg.yield %139 : f64
    } -> tensor<6x1xf64>
    %93 = tensor.empty() : tensor<6x8xf64>
    %94 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%81, %92 : tensor<6x8xf64>, tensor<6x1xf64>) outs(%93 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.divf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %95 = tensor.empty() : tensor<8xf64>
    %96 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg7 : tensor<8xf32>) outs(%95 : tensor<8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<8xf64>
    %97 = tensor.empty() : tensor<6x8xf64>
    %98 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%94, %96 : tensor<6x8xf64>, tensor<8xf64>) outs(%97 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.mulf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %99 = tensor.empty() : tensor<8xf64>
    %100 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg8 : tensor<8xf32>) outs(%99 : tensor<8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<8xf64>
    %101 = tensor.empty() : tensor<6x8xf64>
    %102 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%98, %100 : tensor<6x8xf64>, tensor<8xf64>) outs(%101 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %103 = tensor.empty() : tensor<8x32xf64>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<8x32xf32>) outs(%103 : tensor<8x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<8x32xf64>
    %cst_30 = arith.constant 0.000000e+00 : f64
    %105 = tensor.empty() : tensor<6x32xf64>
    %106 = linalg.fill ins(%cst_30 : f64) outs(%105 : tensor<6x32xf64>) -> tensor<6x32xf64>
    %107 = linalg.matmul ins(%102, %104 : tensor<6x8xf64>, tensor<8x32xf64>) outs(%106 : tensor<6x32xf64>) -> tensor<6x32xf64>
    %108 = tensor.empty() : tensor<32xf64>
    %109 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg10 : tensor<32xf32>) outs(%108 : tensor<32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<32xf64>
    %110 = tensor.empty() : tensor<6x32xf64>
    %111 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%107, %109 : tensor<6x32xf64>, tensor<32xf64>) outs(%110 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %112 = tensor.empty() : tensor<6x32xf64>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<6x32xf64>) outs(%112 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 3.000000e+00 : f64
      %139 = arith.mulf %in, %in : f64
      %140 = arith.mulf %139, %in : f64
      linalg.yield %140 : f64
    } -> tensor<6x32xf64>
    %114 = tensor.empty() : tensor<6x32xf64>
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%113 : tensor<6x32xf64>) outs(%114 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 4.471500e-02 : f64
      %139 = arith.mulf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %116 = tensor.empty() : tensor<6x32xf64>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%111, %115 : tensor<6x32xf64>, tensor<6x32xf64>) outs(%116 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %118 = tensor.empty() : tensor<6x32xf64>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<6x32xf64>) outs(%118 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 0.79788456080286541 : f64
      %139 = arith.mulf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %120 = tensor.empty() : tensor<6x32xf64>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<6x32xf64>) outs(%120 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %139 = math.tanh %in : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %122 = tensor.empty() : tensor<6x32xf64>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<6x32xf64>) outs(%122 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 5.000000e-01 : f64
      %139 = arith.mulf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %124 = tensor.empty() : tensor<6x32xf64>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<6x32xf64>) outs(%124 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %cst_32 = arith.constant 1.000000e+00 : f64
      %139 = arith.addf %in, %cst_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %126 = tensor.empty() : tensor<6x32xf64>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%123, %125 : tensor<6x32xf64>, tensor<6x32xf64>) outs(%126 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.mulf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x32xf64>
    %128 = tensor.empty() : tensor<32x8xf64>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<32x8xf32>) outs(%128 : tensor<32x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<32x8xf64>
    %cst_31 = arith.constant 0.000000e+00 : f64
    %130 = tensor.empty() : tensor<6x8xf64>
    %131 = linalg.fill ins(%cst_31 : f64) outs(%130 : tensor<6x8xf64>) -> tensor<6x8xf64>
    %132 = linalg.matmul ins(%127, %129 : tensor<6x32xf64>, tensor<32x8xf64>) outs(%131 : tensor<6x8xf64>) -> tensor<6x8xf64>
    %133 = tensor.empty() : tensor<8xf64>
    %134 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel"]} ins(%arg12 : tensor<8xf32>) outs(%133 : tensor<8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %139 = arith.extf %in : f32 to f64
      linalg.yield %139 : f64
    } -> tensor<8xf64>
    %135 = tensor.empty() : tensor<6x8xf64>
    %136 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%132, %134 : tensor<6x8xf64>, tensor<8xf64>) outs(%135 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    %137 = tensor.empty() : tensor<6x8xf64>
    %138 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%74, %136 : tensor<6x8xf64>, tensor<6x8xf64>) outs(%137 : tensor<6x8xf64>) {
    ^bb0(%in: f64, %in_32: f64, %out: f64):
      %139 = arith.addf %in, %in_32 : f64
      linalg.yield %139 : f64
    } -> tensor<6x8xf64>
    return %138 : tensor<6x8xf64>
  }
}
