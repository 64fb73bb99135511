// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"m", ASSAY_KEY_SIZE, .help = "rows of x, and of the result"},
    {"k", ASSAY_KEY_SIZE, .help = "columns of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_shape shape =
      assay_shape_make(2, assay_params_size(params, "m"), assay_params_size(params, "k"));
  assay_value x = assay_input(graph, "x", assay_params_dtype(params, "dtype"), shape);
  results[0] = assay_matmul(graph, x, assay_transpose(graph, x, 2, (int[]){1, 0}));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_gram;
const assay_suite_op assay_suite_op_gram = {
    .name = "gram",
    .formula = "x @ x.T",
    .keys = keys,
    .build = build,
};
