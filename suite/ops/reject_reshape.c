// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"to", ASSAY_KEY_DIMS, .help = "shape of the result"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_params_dims(params, "x"));
  results[0] = assay_reshape(graph, x, assay_params_dims(params, "to"));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_reshape;
const assay_suite_op assay_suite_op_reject_reshape = {
    .name = "reject_reshape",
    .formula = "x.reshape(to)",
    .rejected = true,
    .keys = keys,
    .build = build,
};
