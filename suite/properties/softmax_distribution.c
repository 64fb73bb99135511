// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <math.h>
#include <string.h>

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "softmax") && assay_params_wide(params) &&
         strcmp(assay_params_choice(params, "values"), "lanes") != 0;
}

// The sum has n roundings of its terms' sum, the terms two each: (n + 8) u is on the safe side.
static void check_rows(assay_examination *it, const assay_buffer *p) {
  int64_t rows = assay_examine_rows(p), columns = assay_examine_columns(p);
  double most = (double)(columns + 8) * assay_examine_roundoff(p);
  for (int64_t row = 0; row < rows; row++) {
    double sum = 0;
    for (int64_t i = 0; i < columns; i++) {
      double each = assay_examine_get(p, row * columns + i);
      if (!(each >= 0 && each <= 1))
        assay_examine_object(it, "element [%d,%d] is %.9g", (int)row, (int)i, each);
      sum += each;
    }
    if (!(fabs(sum - 1) <= most))
      assay_examine_object(it, "row %d sums to 1 + %.3g, at most %.3g is rounding", (int)row,
                           sum - 1, most);
  }
}

static assay_code check(assay_examination *it, assay_error *err) {
  const double logit = 1e4;
  check_rows(it, it->result);
  assay_buffer *inputs = assay_examine_inputs(it), large;
  int64_t columns = assay_examine_columns(it->result);
  for (int64_t i = 0; i < assay_shape_count(&inputs[0].shape); i++)
    assay_examine_set(&inputs[0], i, i % columns % 2 == 0 ? logit : -logit);
  TRY(assay_examine_run(it, inputs, &large, err));
  check_rows(it, &large);
  for (int64_t i = 0; i < assay_shape_count(&large.shape); i++)
    if (i % columns % 2 == 1 && assay_examine_get(&large, i) != 0)
      assay_examine_object(it, "a logit of -1e4 beside 1e4 has the probability %.3g",
                           assay_examine_get(&large, i));
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_softmax_distribution;
const assay_property assay_property_softmax_distribution = {
    .name = "softmax_distribution",
    .summary = "rows of softmax are in [0, 1] and sum to 1, also for logits of 1e4",
    .applies = applies,
    .check = check,
};
