// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/functions.h"
#include "suite/arguments.h"

#include <string.h>

static const assay_key keys[] = {
    {"f", ASSAY_KEY_CHOICE, .choices = ASSAY_REDUCTIONS, .help = "function"},
    {"shape", ASSAY_KEY_DIMS, .help = "of x"},
    {"axis", ASSAY_KEY_DIMS, .help = "one axis, from the end where negative"},
    {"keepdims", ASSAY_KEY_CHOICE, .preset = "no", .choices = "no|yes",
     .help = "axis of size 1 kept"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {"values", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_VALUES, .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", assay_params_dtype(params, "dtype"),
                              assay_params_dims(params, "shape"));
  int axis = (int)assay_params_dims(params, "axis").dim[0];
  bool keepdims = strcmp(assay_params_choice(params, "keepdims"), "yes") == 0;
  results[0] = assay_reduction_find(assay_params_choice(params, "f"))(graph, x, axis, keepdims);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reduce;
const assay_suite_op assay_suite_op_reduce = {
    .name = "reduce",
    .formula = "f(x, axis, keepdims)",
    .keys = keys,
    .build = build,
};
