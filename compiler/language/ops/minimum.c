// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.minimumf", "arith.minsi", "arith.andi");
}

static const assay_operation minimum = {
    .name = "minimum", .emit = assay_elementwise_emit, .element = element};

assay_value assay_minimum(assay_graph *graph, assay_value a, assay_value b) {
  return assay_elementwise_promoted(graph, &minimum, a, b);
}
