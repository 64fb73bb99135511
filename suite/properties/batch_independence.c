// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <string.h>

enum { MOST_BATCHES = 17 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "batch_matmul") && assay_params_floating(params) &&
         assay_params_size(params, "b") <= MOST_BATCHES &&
         strcmp(assay_params_choice(params, "lhs"), "plain") == 0 &&
         strcmp(assay_params_choice(params, "result"), "plain") == 0;
}

static assay_code check(assay_examination *it, assay_error *err) {
  int64_t batches = it->result->shape.dim[0], rows = it->result->shape.dim[1];
  for (int64_t batch = 0; batch < batches; batch++) {
    assay_buffer *inputs = assay_examine_inputs(it), changed;
    for (int64_t row = 0; row < rows; row++)
      assay_examine_disturb(&inputs[0], batch * rows + row);
    TRY(assay_examine_run(it, inputs, &changed, err));
    assay_rows own = {batch * rows, (batch + 1) * rows};
    if (!assay_examine_same(&changed, it->result, 0, own.first) ||
        !assay_examine_same(&changed, it->result, own.end, batches * rows))
      assay_examine_object(it, "another product changed with matrix %d", (int)batch);
    bool seen;
    TRY(assay_examine_changed(it, &changed, own, own, &seen, err));
    if (!seen)
      assay_examine_object(it, "product %d did not change with its matrix", (int)batch);
  }
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_batch_independence;
const assay_property assay_property_batch_independence = {
    .name = "batch_independence",
    .summary = "a changed matrix of a batch changes its own product alone",
    .applies = applies,
    .check = check,
};
