// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <math.h>
#include <string.h>

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "layer_norm") && assay_params_wide(params) &&
         assay_params_size(params, "n") > 1 &&
         strcmp(assay_params_choice(params, "values"), "plain") == 0;
}

// Inputs with that gain for all columns and the bias 0.
static assay_buffer *with_gain(assay_examination *it, double gain) {
  assay_buffer *inputs = assay_examine_inputs(it);
  for (int64_t i = 0; i < assay_examine_columns(it->result); i++) {
    assay_examine_set(&inputs[1], i, gain);
    assay_examine_set(&inputs[2], i, 0);
  }
  return inputs;
}

typedef struct moments {
  double mean, variance, largest; // of |x|
} moments;

static moments of_row(const assay_buffer *x, int64_t row) {
  int64_t columns = assay_examine_columns(x);
  moments made = {0};
  for (int64_t i = 0; i < columns; i++) {
    double each = assay_examine_get(x, row * columns + i);
    made.mean += each / (double)columns;
    made.largest = fmax(made.largest, fabs(each));
  }
  for (int64_t i = 0; i < columns; i++) {
    double centered = assay_examine_get(x, row * columns + i) - made.mean;
    made.variance += centered * centered / (double)columns;
  }
  return made;
}

// The variance is v / (v + eps). Roundings of the mean of n numbers, of at most n u max |x|, are
// divided by the deviation.
static assay_code check(assay_examination *it, assay_error *err) {
  const double epsilon = 1e-5;
  assay_buffer once, twice;
  TRY(assay_examine_run(it, with_gain(it, 1), &once, err));
  TRY(assay_examine_run(it, with_gain(it, 2), &twice, err));
  int64_t rows = assay_examine_rows(&once), columns = assay_examine_columns(&once);
  for (int64_t row = 0; row < rows; row++) {
    moments x = of_row(&it->inputs[0], row), z = of_row(&once, row);
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
