// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static const assay_key keys[] = {
    {"shape", ASSAY_KEY_DIMS, .help = "of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {"to", ASSAY_KEY_DTYPE, .help = "of the result"},
    {"values", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_VALUES, .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", assay_params_dtype(params, "dtype"),
                              assay_params_dims(params, "shape"));
  results[0] = assay_cast(graph, x, assay_params_dtype(params, "to"));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_cast;
const assay_suite_op assay_suite_op_cast = {
    .name = "cast",
    .formula = "x.astype(to)",
    .keys = keys,
    .build = build,
};
