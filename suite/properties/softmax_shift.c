// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_rows(params, "softmax");
}

// Adding 1 to a multiple of u in [-1, 1), or to a small whole number, is exact, and so the
// differences from the maximum stay what they were.
static assay_code check(assay_examination *it, assay_error *err) {
  int64_t rows = assay_examine_rows(it->result), columns = assay_examine_columns(it->result);
  assay_buffer *inputs = assay_examine_inputs(it), shifted, changed;
  for (int64_t i = 0; i < rows * columns; i++)
    assay_examine_set(&inputs[0], i, assay_examine_get(&inputs[0], i) + 1);
  TRY(assay_examine_run(it, inputs, &shifted, err));
  for (int64_t row = 0; row < rows; row++)
    if (!assay_examine_same(&shifted, it->result, row, row + 1))
      assay_examine_object(it, "row %d changed when 1 was added to it", (int)row);
  for (int64_t row = 0; row < rows; row++)
    assay_examine_disturb(&inputs[0], row);
  TRY(assay_examine_run(it, inputs, &changed, err));
  for (int64_t row = 0; row < rows; row++)
    if (assay_examine_same(&changed, it->result, row, row + 1))
      assay_examine_object(it, "row %d did not change with one of its elements", (int)row);
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_softmax_shift;
const assay_property assay_property_softmax_shift = {
    .name = "softmax_shift",
    .summary = "softmax does not change by a bit when a number is added to a row",
    .applies = applies,
    .check = check,
};
