// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/normalization.h"

#include <math.h>

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_rows(params, "layer_norm") && assay_params_wide(params);
}

// The variance is v / (v + eps). Roundings of the mean of n numbers, of at most n u max |x|, are
// divided by the deviation.
static assay_code check(assay_examination *it, assay_error *err) {
  const double epsilon = 1e-5;
  assay_buffer once, twice;
  TRY(assay_examine_run(it, assay_normalization_inputs(it, 1), &once, err));
  TRY(assay_examine_run(it, assay_normalization_inputs(it, 2), &twice, err));
  int64_t rows = assay_examine_rows(&once), columns = assay_examine_columns(&once);
  for (int64_t row = 0; row < rows; row++) {
    assay_moments x = assay_moments_of_row(&it->inputs[0], row);
    assay_moments z = assay_moments_of_row(&once, row);
    double deviation = sqrt(x.variance + epsilon);
    double most = (double)(columns + 8) * assay_examine_roundoff(&once) *
                  (1 + x.largest / deviation) * fmax(1, z.largest);
    if (!(fabs(z.mean) <= most))
      assay_examine_object(it, "row %d has the mean %.3g, at most %.3g is rounding", (int)row,
                           z.mean, most);
    double variance = x.variance / (x.variance + epsilon);
    if (!(fabs(z.variance - variance) <= 2 * most))
      assay_examine_object(it, "row %d has the variance %.9g, want %.9g", (int)row, z.variance,
                           variance);
  }
  for (int64_t i = 0; i < rows * columns; i++)
    if (assay_examine_get(&twice, i) != 2 * assay_examine_get(&once, i))
      assay_examine_object(it, "the gain 2 did not double element %d", (int)i);
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_layer_norm_moments;
const assay_property assay_property_layer_norm_moments = {
    .name = "layer_norm_moments",
    .summary = "rows of layer_norm have mean 0 and variance 1, times the gain",
    .applies = applies,
    .check = check,
};
