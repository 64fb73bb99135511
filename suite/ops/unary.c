// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/functions.h"
#include "suite/arguments.h"

static const assay_key keys[] = {
    {"f", ASSAY_KEY_CHOICE, .choices = ASSAY_UNARY, .help = "function"},
    {"shape", ASSAY_KEY_DIMS, .help = "of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {"values", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_VALUES, .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", assay_params_dtype(params, "dtype"),
                              assay_params_dims(params, "shape"));
  results[0] = assay_unary_find(assay_params_choice(params, "f"))(graph, x);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_unary;
const assay_suite_op assay_suite_op_unary = {
    .name = "unary",
    .formula = "f(x)",
    .keys = keys,
    .build = build,
};
