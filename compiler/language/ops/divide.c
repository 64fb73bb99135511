// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.divf", NULL, NULL);
}

static const assay_operation divide = {
    .name = "divide", .symbol = "/", .emit = assay_elementwise_emit, .element = element};

// True division: integers and bools become f64 first, so any Python integer fits.
assay_value assay_divide(assay_graph *graph, assay_value a, assay_value b) {
  const assay_node *lhs = assay_graph_operand(graph, &divide, a);
  const assay_node *rhs = assay_graph_operand(graph, &divide, b);
  if (lhs == NULL || rhs == NULL)
    return ASSAY_NO_VALUE;
  if (!assay_elementwise_fit(graph, &divide, 2, (assay_value[]){a, b}))
    return ASSAY_NO_VALUE;
  assay_dtype dtype = assay_node_promote(lhs, rhs);
  if (!assay_dtype_get(dtype)->floating)
    dtype = ASSAY_F64;
  const assay_value operands[] = {assay_cast(graph, a, dtype), assay_cast(graph, b, dtype)};
  return assay_elementwise(graph, &divide, dtype, 2, operands);
}
