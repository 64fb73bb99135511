// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

static MlirValue element(const assay_element *it) {
  return assay_element_apply(it, "math.exp", NULL, NULL);
}

static const assay_operation operation = {
    .name = "exp", .emit = assay_elementwise_emit, .element = element};

assay_value assay_exp(assay_graph *graph, assay_value x) {
  return assay_elementwise_real(graph, &operation, x);
}
