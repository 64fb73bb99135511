// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

// Of integers the larger of x and -x; of the smallest integer both are itself.
static MlirValue element(const assay_element *it) {
  if (assay_dtype_get(it->dtype)->floating)
    return assay_element_apply(it, "math.absf", NULL, NULL);
  MlirValue difference[] = {assay_element_number(it, 0), it->x[0]};
  MlirValue both[] = {it->x[0],
                      assay_builder_apply(it->builder, "arith.subi", it->type, 2, difference)};
  return assay_builder_apply(it->builder, "arith.maxsi", it->type, 2, both);
}

static const assay_operation absolute = {
    .name = "absolute", .emit = assay_elementwise_emit, .element = element};

assay_value assay_absolute(assay_graph *graph, assay_value x) {
  const assay_node *source = assay_graph_operand(graph, &absolute, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  if (source->dtype == ASSAY_BOOL)
    return x;
  x = assay_cast(graph, x, source->dtype); // a weak scalar becomes a strong one
  return assay_elementwise(graph, &absolute, assay_value_dtype(graph, x), 1, &x);
}
