// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

static const assay_key keys[] = {
    {"x", ASSAY_KEY_DIMS, .help = "shape of x"},
    {"start", ASSAY_KEY_DIMS, .help = "first index on each axis"},
    {"stop", ASSAY_KEY_DIMS, .help = "one past the last index on each axis"},
    {"step", ASSAY_KEY_DIMS, .help = "stride on each axis"},
    {.name = NULL},
};

// As many ranges as start has; where stop or step is shorter its missing numbers are 0, an empty
// slice.
static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_shape start = assay_params_dims(params, "start"), stop = assay_params_dims(params, "stop");
  assay_shape step = assay_params_dims(params, "step");
  assay_range ranges[ASSAY_MAX_RANK];
  for (int i = 0; i < start.rank; i++)
    ranges[i] = (assay_range){start.dim[i], stop.dim[i], step.dim[i]};
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_params_dims(params, "x"));
  results[0] = assay_slice(graph, x, start.rank, ranges);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_slice;
const assay_suite_op assay_suite_op_reject_slice = {
    .name = "reject_slice",
    .formula = "x[start:stop:step]",
    .rejected = true,
    .keys = keys,
    .build = build,
};
