// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

enum { MOST_ROWS = 33 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  if (assay_params_rows(params, "softmax") || assay_params_rows(params, "layer_norm"))
    return assay_params_size(params, "m") <= MOST_ROWS;
  if (assay_params_of(params, "linear"))
    return assay_params_floating(params) && assay_params_size(params, "m") <= MOST_ROWS;
  return assay_params_of(params, "feedforward") && assay_params_floating(params) &&
         assay_params_size(params, "t") <= MOST_ROWS;
}

static assay_code check(assay_examination *it, assay_error *err) {
  int64_t rows = assay_examine_rows(it->result);
  for (int64_t row = 0; row < rows; row++) {
    assay_buffer *inputs = assay_examine_inputs(it), changed;
    assay_examine_disturb(&inputs[0], row);
    TRY(assay_examine_run(it, inputs, &changed, err));
    if (!assay_examine_same(&changed, it->result, 0, row) ||
        !assay_examine_same(&changed, it->result, row + 1, rows))
      assay_examine_object(it, "another row changed with row %d", (int)row);
    assay_rows own = {row, row + 1};
    bool seen;
    TRY(assay_examine_changed(it, &changed, own, own, &seen, err));
    if (!seen)
      assay_examine_object(it, "row %d did not change with its input", (int)row);
  }
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_row_independence;
const assay_property assay_property_row_independence = {
    .name = "row_independence",
    .summary = "a changed row of x changes that row of the result alone",
    .applies = applies,
    .check = check,
};
