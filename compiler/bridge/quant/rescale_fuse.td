// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Assay adds to upstream's quant dialect.
#ifndef ASSAY_COMPILER_BRIDGE_QUANT_RESCALE_FUSE_TD
#define ASSAY_COMPILER_BRIDGE_QUANT_RESCALE_FUSE_TD

include "mlir/Dialect/Quant/IR/QuantBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

defvar RescaleFuse_Element = AnyTypeOf<[F16, BF16, F32, F64]>;
defvar RescaleFuse_Value = AnyTypeOf<
    [RescaleFuse_Element, TensorOf<[F16, BF16, F32, F64]>,
     VectorOfAnyRankOf<[F16, BF16, F32, F64]>],
    "f16, bf16, f32 or f64, or a tensor or vector of these">;

def RescaleFuseOp : Op<Quant_Dialect, "rescale_fuse",
    [Pure, SameOperandsAndResultType] # ElementwiseMappable.traits> {
  let summary = "multiplies by a scale that was fused from others";
  let description = [{
    The result is the input times `scale`, element by element, rounded once to nearest even in f64
    for f64 and in f32 for all others; f16 and bf16 are then rounded to their type.

    `scale` is finite and positive, the smallest subnormal included: a pass that fuses scales and
    arrives at zero, infinity, NaN or a negative number has to leave them apart. Of a chain that is
    fused the last bit of a subnormal result may differ.

    ```mlir
    %1 = quant.rescale_fuse %0 {scale = 0.25 : f32} : tensor<4x?xf32>
    ```
  }];
  let arguments = (ins RescaleFuse_Value:$input, F32Attr:$scale);
  let results = (outs RescaleFuse_Value:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

#endif
