// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"
#include "suite/views.h"

static const assay_key keys[] = {
    {"m", ASSAY_KEY_SIZE, .help = "rows of lhs and of the result"},
    {"k", ASSAY_KEY_SIZE, .help = "columns of lhs, rows of rhs"},
    {"n", ASSAY_KEY_SIZE, .help = "columns of rhs and of the result"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of lhs"},
    {"rhs_dtype", ASSAY_KEY_DTYPE, .preset = "=dtype", .help = "of rhs"},
    {"lhs", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_MATRIX_VIEWS, .help = "view L"},
    {"rhs", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_MATRIX_VIEWS, .help = "view V"},
    {"result", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_MATRIX_VIEWS,
     .help = "view R"},
    ASSAY_PRECISION_KEY,
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_graph_allow(graph, assay_params_precision(params));
  int64_t m = assay_params_size(params, "m"), k = assay_params_size(params, "k");
  int64_t n = assay_params_size(params, "n");
  assay_value lhs =
      assay_view_operand(graph, assay_params_choice(params, "lhs"), "lhs",
                         assay_params_dtype(params, "dtype"), assay_shape_make(2, m, k));
  assay_value rhs =
      assay_view_operand(graph, assay_params_choice(params, "rhs"), "rhs",
                         assay_params_dtype(params, "rhs_dtype"), assay_shape_make(2, k, n));
  results[0] = assay_view_result(graph, assay_params_choice(params, "result"),
                                 assay_matmul(graph, lhs, rhs));
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_matmul;
const assay_suite_op assay_suite_op_matmul = {
    .name = "matmul",
    .formula = "R(L(lhs) @ V(rhs))",
    .keys = keys,
    .build = build,
};
