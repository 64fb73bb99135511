// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/compositions.h"
#include "suite/op.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"gain", ASSAY_KEY_DIMS, .help = "shape of gain and bias"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x =
      assay_input(graph, "x", assay_params_dtype(params, "dtype"), assay_params_dims(params, "x"));
  assay_shape shape = assay_params_dims(params, "gain");
  assay_value gain = assay_input(graph, "gain", assay_params_dtype(params, "dtype"), shape);
  assay_value bias = assay_input(graph, "bias", assay_params_dtype(params, "dtype"), shape);
  results[0] = assay_layer_norm(graph, x, gain, bias);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_layer_norm;
const assay_suite_op assay_suite_op_reject_layer_norm = {
    .name = "reject_layer_norm",
    .formula = "layer_norm(x, gain, bias)",
    .rejected = true,
    .keys = keys,
    .build = build,
};
