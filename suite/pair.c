// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/pair.h"

#include "suite/functions.h"

const assay_key assay_pair_keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"y", ASSAY_KEY_DIMS, .help = "shape of y"},
    {.name = NULL},
};

static assay_pair inputs(const assay_params *params, assay_graph *graph, assay_dtype x,
                         assay_dtype y) {
  assay_pair made;
  made.x = assay_input(graph, "x", x, assay_params_dims(params, "x"));
  made.y = assay_input(graph, "y", y, assay_params_dims(params, "y"));
  return made;
}

assay_pair assay_pair_inputs(const assay_params *params, assay_graph *graph) {
  return inputs(params, graph, ASSAY_F32, ASSAY_F32);
}

assay_pair assay_mixed_inputs(const assay_params *params, assay_graph *graph) {
  return inputs(params, graph, assay_params_dtype(params, "dtype"),
                assay_params_dtype(params, "y_dtype"));
}

int assay_mixed_build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_pair of = assay_mixed_inputs(params, graph);
  results[0] = assay_binary_find(assay_params_choice(params, "f"))(graph, of.x, of.y);
  return 1;
}
