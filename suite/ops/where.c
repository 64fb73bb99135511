// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/pair.h"

static const assay_key keys[] = {
    {"condition", ASSAY_KEY_DIMS, .help = "shape of condition, bool"},
    ASSAY_MIXED_KEYS,
    {.name = NULL},
};

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value condition =
      assay_input(graph, "condition", ASSAY_BOOL, assay_params_dims(params, "condition"));
  assay_pair of = assay_mixed_inputs(params, graph);
  results[0] = assay_where(graph, condition, of.x, of.y);
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_where;
const assay_suite_op assay_suite_op_where = {
    .name = "where",
    .formula = "where(condition, x, y)",
    .keys = keys,
    .build = build,
};
