// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_token_input(params, graph);
  assay_attend_weights weights = assay_attend_inputs(params, graph);
  results[0] = assay_attend(graph, x, &weights, assay_block_form(params));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_attend;
const assay_suite_op assay_suite_op_attend = {
    .name = "attend",
    .formula = "x + attention(layer_norm(x))",
    .keys = assay_block_keys,
    .build = build,
};
