// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"t", ASSAY_KEY_DIMS, .help = "length, one number"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  int64_t length = assay_params_dims(params, "t").dim[0];
  results[0] = assay_causal_mask(graph, length, assay_params_dtype(params, "dtype"));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_causal_mask;
const assay_suite_op assay_suite_op_reject_causal_mask = {
    .name = "reject_causal_mask",
    .formula = "causal_mask(t)",
    .rejected = true,
    .keys = keys,
    .build = build,
};
