// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/reduction.h"

#include <math.h>

// What any element is at least.
static MlirAttribute least(MlirContext context, assay_dtype dtype) {
  assay_scalar scalar = {.integer = 0, .real = -INFINITY};
  if (dtype == ASSAY_I64)
    scalar.integer = INT64_MIN;
  else if (dtype == ASSAY_I32)
    scalar.integer = INT32_MIN;
  return assay_dtype_number(context, dtype, scalar);
}

static MlirValue emit(const assay_emission *emission) {
  const assay_fold fold = {.floating = "arith.maximumf",
                           .integer = "arith.maxsi",
                           .boolean = "arith.ori",
                           .start = least};
  return assay_reduction_emit(emission, &fold);
}

static const assay_operation max = {.name = "max",
                                    .emit = emit,
                                    .hash = assay_reduction_hash,
                                    .describe = assay_reduction_describe};

assay_value assay_max(assay_graph *graph, assay_value x, int axis, bool keepdims) {
  const assay_node *source = assay_graph_operand(graph, &max, x);
  if (source == NULL || !assay_reduction_axis(graph, &max, source, &axis))
    return ASSAY_NO_VALUE;
  return assay_reduction(graph, &max, x, axis, keepdims);
}
