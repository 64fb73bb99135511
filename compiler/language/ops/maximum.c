// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "arith.maximumf", "arith.maxsi", "arith.ori");
}

static const assay_operation maximum = {
    .name = "maximum", .emit = assay_elementwise_emit, .element = element};

assay_value assay_maximum(assay_graph *graph, assay_value a, assay_value b) {
  return assay_elementwise_promoted(graph, &maximum, a, b);
}
