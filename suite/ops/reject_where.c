// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"condition", ASSAY_KEY_DIMS, .help = "shape of condition"},
    {"condition_dtype", ASSAY_KEY_DTYPE, .preset = "bool", .help = "of condition"},
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"y", ASSAY_KEY_DIMS, .help = "shape of y"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {"y_dtype", ASSAY_KEY_DTYPE, .preset = "=dtype", .help = "of y"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value condition =
      assay_input(graph, "condition", assay_params_dtype(params, "condition_dtype"),
                  assay_params_dims(params, "condition"));
  assay_value x =
      assay_input(graph, "x", assay_params_dtype(params, "dtype"), assay_params_dims(params, "x"));
  assay_value y = assay_input(graph, "y", assay_params_dtype(params, "y_dtype"),
                              assay_params_dims(params, "y"));
  results[0] = assay_where(graph, condition, x, y);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_where;
const assay_suite_op assay_suite_op_reject_where = {
    .name = "reject_where",
    .formula = "where(condition, x, y)",
    .rejected = true,
    .keys = keys,
    .build = build,
};
