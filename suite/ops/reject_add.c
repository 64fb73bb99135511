// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/pair.h"

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_pair of = assay_pair_inputs(params, graph);
  results[0] = assay_add(graph, of.x, of.y);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_add;
const assay_suite_op assay_suite_op_reject_add = {
    .name = "reject_add",
    .formula = "x + y",
    .rejected = true,
    .keys = assay_pair_keys,
    .build = build,
};
