// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

#include <string.h>

static const assay_key keys[] = {
    {"t", ASSAY_KEY_SIZE, .help = "tokens"},
    {"c", ASSAY_KEY_SIZE, .help = "channels"},
    {"heads", ASSAY_KEY_SIZE, .help = "heads, which divide c"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .choices = ASSAY_FLOATING,
     .help = "of all arguments"},
    {"scores", ASSAY_KEY_CHOICE, .preset = "f64", .choices = "f64|f32", .help = "of f32 arguments"},
    {"mask", ASSAY_KEY_CHOICE, .preset = "causal", .choices = "causal|none",
     .help = "what is seen"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_attention_form form = assay_block_form(params);
  form.masked = strcmp(assay_params_choice(params, "mask"), "causal") == 0;
  assay_value x = assay_token_input(params, graph);
  assay_attention_weights weights = assay_attention_inputs(params, graph);
  results[0] = assay_attention(graph, x, &weights, form);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_attention;
const assay_suite_op assay_suite_op_attention = {
    .name = "attention",
    .formula = "linear(merge(softmax(q @ k.T / sqrt(d) + mask) @ v))",
    .keys = keys,
    .build = build,
};
