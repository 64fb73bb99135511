// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/pair.h"

const assay_key assay_pair_keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"y", ASSAY_KEY_DIMS, .help = "shape of y"},
    {.name = NULL},
};

assay_pair assay_pair_inputs(const assay_params *params, assay_graph *graph) {
  return (assay_pair){
      .x = assay_input(graph, "x", ASSAY_F32, assay_params_dims(params, "x")),
      .y = assay_input(graph, "y", ASSAY_F32, assay_params_dims(params, "y")),
  };
}
