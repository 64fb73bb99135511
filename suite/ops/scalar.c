// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/functions.h"

#include <string.h>

static const assay_key keys[] = {
    {"f", ASSAY_KEY_CHOICE, .choices = ASSAY_BINARY, .help = "function"},
    {"shape", ASSAY_KEY_DIMS, .help = "of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {"scalar", ASSAY_KEY_CHOICE, .choices = ASSAY_SCALARS, .help = "constant s"},
    {"side", ASSAY_KEY_CHOICE, .preset = "right", .choices = "right|left", .help = "of s"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", assay_params_dtype(params, "dtype"),
                              assay_params_dims(params, "shape"));
  assay_value s = assay_scalar_make(graph, assay_params_choice(params, "scalar"));
  assay_binary function = assay_binary_find(assay_params_choice(params, "f"));
  bool left = strcmp(assay_params_choice(params, "side"), "left") == 0;
  results[0] = left ? function(graph, s, x) : function(graph, x, s);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_scalar;
const assay_suite_op assay_suite_op_scalar = {
    .name = "scalar",
    .formula = "f(x, s) or f(s, x)",
    .keys = keys,
    .build = build,
};
