// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.mulf", "arith.muli", "arith.andi");
}

static const assay_operation multiply = {
    .name = "multiply", .symbol = "*", .emit = assay_elementwise_emit, .element = element};

assay_value assay_multiply(assay_graph *graph, assay_value a, assay_value b) {
  return assay_elementwise_promoted(graph, &multiply, a, b);
}
