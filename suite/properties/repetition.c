// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

enum { MOST_ROWS = 33 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  if (assay_params_square(params))
    return assay_params_floating(params);
  if (assay_params_rows(params, "softmax") || assay_params_rows(params, "layer_norm"))
    return true;
  return (assay_params_of(params, "attention") || assay_params_of(params, "attend") ||
          assay_params_of(params, "feedforward") || assay_params_of(params, "gpt2_block")) &&
         assay_params_floating(params) && assay_params_size(params, "t") <= MOST_ROWS;
}

static assay_code check(assay_examination *it, assay_error *err) {
  assay_buffer *inputs = assay_examine_inputs(it), other, again;
  int64_t rows = assay_examine_rows(it->result);
  assay_examine_disturb(&inputs[0], 0);
  TRY(assay_examine_run(it, inputs, &other, err));
  TRY(assay_examine_run(it, assay_examine_inputs(it), &again, err));
  bool seen;
  TRY(assay_examine_changed(it, &other, (assay_rows){0, rows}, (assay_rows){0, 1}, &seen, err));
  if (!seen)
    assay_examine_object(it, "the result did not change with x");
  if (!assay_examine_same(&again, it->result, 0, rows))
    assay_examine_object(it, "the same input gave other bits after another one");
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_repetition;
const assay_property assay_property_repetition = {
    .name = "repetition",
    .summary = "what was computed in between leaves no trace: the same input gives the same bits",
    .applies = applies,
    .check = check,
};
