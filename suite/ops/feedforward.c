// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static const assay_key keys[] = {
    {"t", ASSAY_KEY_SIZE, .help = "tokens"},
    {"c", ASSAY_KEY_SIZE, .help = "channels; 4 c inside"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .choices = ASSAY_FLOATING,
     .help = "of all arguments"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_token_input(params, graph);
  assay_feedforward_weights weights = assay_feedforward_inputs(params, graph, "gain", "bias");
  results[0] = assay_feedforward(graph, x, &weights);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_feedforward;
const assay_suite_op assay_suite_op_feedforward = {
    .name = "feedforward",
    .formula = "x + linear(gelu(linear(layer_norm(x))))",
    .keys = keys,
    .build = build,
};
