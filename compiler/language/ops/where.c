// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.select", "arith.select", "arith.select");
}

static const assay_operation where = {
    .name = "where", .emit = assay_elementwise_emit, .element = element};

assay_value assay_where(assay_graph *graph, assay_value condition, assay_value a, assay_value b) {
  const assay_node *choice = assay_graph_operand(graph, &where, condition);
  if (choice == NULL)
    return ASSAY_NO_VALUE;
  const assay_value given[] = {condition, a, b};
  if (choice->dtype != ASSAY_BOOL)
    return assay_operands_reject(graph, &where, 3, given, "the condition must be bool, found %s",
                                 assay_dtype_get(choice->dtype)->name);
  assay_dtype dtype;
  if (!assay_elementwise_fit(graph, &where, 3, given) ||
      !assay_graph_promote(graph, &where, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  return assay_elementwise(graph, &where, dtype, 3, (assay_value[]){condition, a, b});
}
