// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_rows_input(params, graph);
  assay_shape row = assay_shape_make(1, assay_params_size(params, "n"));
  assay_value gain = assay_input(graph, "gain", assay_params_dtype(params, "dtype"), row);
  assay_value bias = assay_input(graph, "bias", assay_params_dtype(params, "dtype"), row);
  results[0] = assay_layer_norm(graph, x, gain, bias);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_layer_norm;
const assay_suite_op assay_suite_op_layer_norm = {
    .name = "layer_norm",
    .formula = "(x - mean(x)) / sqrt(variance(x) + 1e-5) * gain + bias",
    .keys = assay_rows_keys,
    .build = build,
};
