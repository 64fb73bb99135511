// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.subf", "arith.subi", NULL);
}

static const assay_operation subtract = {
    .name = "subtract", .symbol = "-", .emit = assay_elementwise_emit, .element = element};

assay_value assay_subtract(assay_graph *graph, assay_value a, assay_value b) {
  const assay_value given[] = {a, b};
  assay_dtype dtype;
  if (!assay_elementwise_promote(graph, &subtract, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  if (dtype == ASSAY_BOOL)
    return assay_operands_reject(graph, &subtract, 2, given, "NumPy has no bool - bool");
  return assay_elementwise(graph, &subtract, dtype, 2, (assay_value[]){a, b});
}
