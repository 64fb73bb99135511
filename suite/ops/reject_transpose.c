// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"perm", ASSAY_KEY_DIMS, .help = "axes of x, in the result's order"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_shape axes = assay_params_dims(params, "perm");
  int permutation[ASSAY_MAX_RANK];
  for (int i = 0; i < axes.rank; i++)
    permutation[i] = (int)axes.dim[i];
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_params_dims(params, "x"));
  results[0] = assay_transpose(graph, x, axes.rank, permutation);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_transpose;
const assay_suite_op assay_suite_op_reject_transpose = {
    .name = "reject_transpose",
    .formula = "x.transpose(perm)",
    .rejected = true,
    .keys = keys,
    .build = build,
};
