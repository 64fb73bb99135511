// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.subf", "arith.subi", NULL);
}

static const assay_operation subtract = {
    .name = "subtract", .symbol = "-", .emit = assay_elementwise_emit, .element = element};

assay_value assay_subtract(assay_graph *graph, assay_value a, assay_value b) {
  assay_dtype dtype;
  if (!assay_graph_promote(graph, &subtract, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  const assay_value operands[] = {a, b};
  if (dtype == ASSAY_BOOL)
    return assay_elementwise_reject(graph, &subtract, 2, operands, "NumPy has no bool - bool");
  return assay_elementwise(graph, &subtract, dtype, 2, operands);
}
