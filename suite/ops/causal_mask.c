// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"t", ASSAY_KEY_SIZE, .help = "rows and columns"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  int64_t t = assay_params_size(params, "t");
  assay_dtype dtype = assay_params_dtype(params, "dtype");
  assay_value x = assay_input(graph, "x", dtype, assay_shape_make(2, t, t));
  results[1] = assay_causal_mask(graph, t, dtype);
  results[0] = assay_add(graph, x, results[1]);
  return 2;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_causal_mask;
const assay_suite_op assay_suite_op_causal_mask = {
    .name = "causal_mask",
    .formula = "x + mask, mask",
    .keys = keys,
    .build = build,
};
