// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"y", ASSAY_KEY_DIMS, .help = "shape of y"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_params_dims(params, "x"));
  assay_value y = assay_input(graph, "y", ASSAY_F32, assay_params_dims(params, "y"));
  results[0] = assay_matmul(graph, x, y);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_matmul;
const assay_suite_op assay_suite_op_reject_matmul = {
    .name = "reject_matmul",
    .formula = "x @ y",
    .rejected = true,
    .keys = keys,
    .build = build,
};
