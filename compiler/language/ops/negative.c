// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  if (assay_dtype_get(it->dtype)->floating)
    return assay_element_apply(it, "arith.negf", NULL, NULL);
  MlirValue operands[] = {assay_element_number(it, 0), it->x[0]};
  return assay_builder_apply(it->builder, "arith.subi", it->type, 2, operands);
}

static const assay_operation negative = {
    .name = "negative", .emit = assay_elementwise_emit, .element = element};

assay_value assay_negative(assay_graph *graph, assay_value x) {
  const assay_node *source = assay_graph_operand(graph, &negative, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  if (source->dtype == ASSAY_BOOL)
    return assay_operands_reject(graph, &negative, 1, &x, "NumPy has no -bool");
  x = assay_cast(graph, x, source->dtype); // a weak scalar becomes a strong one
  return assay_elementwise(graph, &negative, assay_value_dtype(graph, x), 1, &x);
}
