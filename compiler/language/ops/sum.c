// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/reduction.h"

static MlirAttribute zero(MlirContext context, assay_dtype dtype) {
  return assay_dtype_number(context, dtype, (assay_scalar){.integer = 0});
}

static MlirValue emit(const assay_emission *emission) {
  const assay_fold fold = {.floating = "arith.addf", .integer = "arith.addi", .start = zero};
  return assay_reduction_emit(emission, &fold);
}

static const assay_operation sum = {.name = "sum",
                                    .emit = emit,
                                    .hash = assay_reduction_hash,
                                    .describe = assay_reduction_describe};

assay_value assay_sum(assay_graph *graph, assay_value x, int axis, bool keepdims) {
  const assay_node *source = assay_graph_operand(graph, &sum, x);
  if (source == NULL || !assay_reduction_axis(graph, &sum, source, &axis))
    return ASSAY_NO_VALUE;
  switch (source->dtype) {
  case ASSAY_F16: // summed in f32, rounded once
    x = assay_reduction(graph, &sum, assay_cast(graph, x, ASSAY_F32), axis, keepdims);
    return assay_cast(graph, x, ASSAY_F16);
  case ASSAY_BOOL:
  case ASSAY_I32:
    return assay_reduction(graph, &sum, assay_cast(graph, x, ASSAY_I64), axis, keepdims);
  default:
    return assay_reduction(graph, &sum, x, axis, keepdims);
  }
}
