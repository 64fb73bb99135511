// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum divided by the count, in the dtype that NumPy computes it in: f32 for f16, f64 for
// integers.
#include "compiler/language/reduction.h"

// Of messages only: a program has sums and divisions.
static const assay_operation mean = {.name = "mean"};

assay_value assay_mean(assay_graph *graph, assay_value x, int axis, bool keepdims) {
  const assay_node *source = assay_graph_operand(graph, &mean, x);
  if (source == NULL || !assay_reduction_axis(graph, &mean, source, &axis))
    return ASSAY_NO_VALUE;
  assay_dtype result = assay_dtype_get(source->dtype)->floating ? source->dtype : ASSAY_F64;
  assay_dtype dtype = result == ASSAY_F16 ? ASSAY_F32 : result;
  double count = (double)source->shape.dim[axis];
  assay_value total = assay_sum(graph, assay_cast(graph, x, dtype), axis, keepdims);
  assay_value quotient = assay_divide(graph, total, assay_strong_float(graph, dtype, count));
  return assay_cast(graph, quotient, result);
}
