// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/normalization.h"

#include <math.h>

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_rows(params, "layer_norm") && assay_params_wide(params);
}

// What x becomes, and the largest change that a result may show by that.
static assay_code compare(assay_examination *it, double factor, double shift, double most,
                          assay_error *err) {
  assay_buffer *inputs = assay_normalization_inputs(it, 1), base, moved;
  TRY(assay_examine_run(it, inputs, &base, err));
  for (int64_t i = 0; i < assay_shape_count(&inputs[0].shape); i++)
    assay_examine_set(&inputs[0], i, assay_examine_get(&inputs[0], i) * factor + shift);
  TRY(assay_examine_run(it, inputs, &moved, err));
  double distance = assay_examine_distance(&base, &moved);
  if (!(distance <= most))
    assay_examine_object(it, "x * %g + %g changes results by %.3g, at most %.3g is rounding",
                         factor, shift, distance, most);
  return ASSAY_OK;
}

// The least variance of a row.
static double least_variance(const assay_buffer *x) {
  double least = INFINITY;
  for (int64_t row = 0; row < assay_examine_rows(x); row++)
    least = fmin(least, assay_moments_of_row(x, row).variance);
  return least;
}

// |z| <= sqrt(n); eps changes it by the part eps/v at most; roundings are n u max |x| / deviation.
static assay_code check(assay_examination *it, assay_error *err) {
  const double epsilon = 1e-5, factor = 4, shift = 1, largest = 9; // of |x| + shift
  double columns = (double)assay_examine_columns(it->result);
  double variance = least_variance(&it->inputs[0]);
  double rounding = 4 * (columns + 8) * assay_examine_roundoff(it->result) *
                    (1 + largest / sqrt(variance + epsilon)) * sqrt(columns);
  TRY(compare(it, 1, shift, rounding, err));
  TRY(compare(it, factor, 0, rounding + sqrt(columns) * epsilon / (variance + epsilon), err));
  assay_buffer *inputs = assay_normalization_inputs(it, 1), base, changed;
  TRY(assay_examine_run(it, inputs, &base, err));
  assay_examine_disturb(&inputs[0], 0);
  TRY(assay_examine_run(it, inputs, &changed, err));
  if (assay_examine_same(&base, &changed, 0, 1))
    assay_examine_object(it, "the result did not change with an element of its row");
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_layer_norm_invariance;
const assay_property assay_property_layer_norm_invariance = {
    .name = "layer_norm_invariance",
    .summary = "layer_norm does not see a shift of its rows, nor (but for eps) a factor",
    .applies = applies,
    .check = check,
};
