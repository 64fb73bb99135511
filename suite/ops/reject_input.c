// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x =
      assay_input(graph, "x", assay_params_dtype(params, "dtype"), assay_params_dims(params, "x"));
  results[0] = x;
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_input;
const assay_suite_op assay_suite_op_reject_input = {
    .name = "reject_input",
    .formula = "x",
    .rejected = true,
    .keys = keys,
    .build = build,
};
