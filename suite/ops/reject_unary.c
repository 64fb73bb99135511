// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/functions.h"

static const assay_key keys[] = {
    {"f", ASSAY_KEY_CHOICE, .choices = ASSAY_UNARY, .help = "function"},
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x =
      assay_input(graph, "x", assay_params_dtype(params, "dtype"), assay_params_dims(params, "x"));
  results[0] = assay_unary_find(assay_params_choice(params, "f"))(graph, x);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_unary;
const assay_suite_op assay_suite_op_reject_unary = {
    .name = "reject_unary",
    .formula = "f(x)",
    .rejected = true,
    .keys = keys,
    .build = build,
};
