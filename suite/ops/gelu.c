// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  results[0] = assay_gelu(graph, assay_rows_input(params, graph));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_gelu;
const assay_suite_op assay_suite_op_gelu = {
    .name = "gelu",
    .formula = "0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))",
    .keys = assay_rows_keys,
    .build = build,
};
