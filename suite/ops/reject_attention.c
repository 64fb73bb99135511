// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"c", ASSAY_KEY_SIZE, .help = "channels of the weights"},
    {"heads", ASSAY_KEY_SIZE, .help = "heads"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {"scores", ASSAY_KEY_CHOICE, .preset = "f64", .choices = "f64|f32", .help = "of f32 arguments"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x =
      assay_input(graph, "x", assay_params_dtype(params, "dtype"), assay_params_dims(params, "x"));
  assay_attention_weights weights = assay_attention_inputs(params, graph);
  results[0] = assay_attention(graph, x, &weights, assay_block_form(params));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_attention;
const assay_suite_op assay_suite_op_reject_attention = {
    .name = "reject_attention",
    .formula = "linear(merge(softmax(q @ k.T / sqrt(d) + mask) @ v))",
    .rejected = true,
    .keys = keys,
    .build = build,
};
