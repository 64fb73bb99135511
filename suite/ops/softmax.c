// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  results[0] = assay_softmax(graph, assay_rows_input(params, graph));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_softmax;
const assay_suite_op assay_suite_op_softmax = {
    .name = "softmax",
    .formula = "exp(x - max(x)) / sum(exp(x - max(x)))",
    .keys = assay_rows_keys,
    .build = build,
};
