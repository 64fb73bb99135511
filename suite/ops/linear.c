// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/compositions.h"
#include "suite/op.h"

static const assay_key keys[] = {
    {"m", ASSAY_KEY_SIZE, .help = "rows of x and of the result"},
    {"k", ASSAY_KEY_SIZE, .help = "columns of x, rows of w"},
    {"n", ASSAY_KEY_SIZE, .help = "columns of w, length of bias"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of all arguments"},
    ASSAY_PRECISION_KEY,
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_graph_allow(graph, assay_params_precision(params));
  int64_t m = assay_params_size(params, "m"), k = assay_params_size(params, "k");
  int64_t n = assay_params_size(params, "n");
  assay_dtype dtype = assay_params_dtype(params, "dtype");
  assay_value x = assay_input(graph, "x", dtype, assay_shape_make(2, m, k));
  assay_value w = assay_input(graph, "w", dtype, assay_shape_make(2, k, n));
  assay_value bias = assay_input(graph, "bias", dtype, assay_shape_make(1, n));
  results[0] = assay_linear(graph, x, w, bias);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_linear;
const assay_suite_op assay_suite_op_linear = {
    .name = "linear",
    .formula = "x @ w + bias",
    .keys = keys,
    .build = build,
};
