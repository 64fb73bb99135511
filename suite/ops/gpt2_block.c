// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_token_input(params, graph);
  assay_attend_weights first = assay_attend_inputs(params, graph);
  // A name is a stream of data: the second layer_norm's arguments need their own.
  assay_feedforward_weights second = assay_feedforward_inputs(params, graph, "gain2", "bias2");
  results[0] = assay_gpt2_block(graph, x, &first, &second, assay_block_form(params));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_gpt2_block;
const assay_suite_op assay_suite_op_gpt2_block = {
    .name = "gpt2_block",
    .formula = "feedforward(attend(x))",
    .keys = assay_block_keys,
    .build = build,
};
