// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <math.h>

enum { POINTS = 14 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "gelu") && assay_params_wide(params) &&
         assay_params_size(params, "m") * assay_params_size(params, "n") >= POINTS;
}

// From 12 on tanh is 1 in every dtype (1 - tanh(u(12)) < 2^-100).
static assay_code check(assay_examination *it, assay_error *err) {
  static const double points[POINTS / 2] = {0.5, 1, 2, 4, 12, 100, 1e4};
  assay_buffer *inputs = assay_examine_inputs(it), y;
  for (int i = 0; i < POINTS; i++)
    assay_examine_set(&inputs[0], i, i % 2 == 0 ? points[i / 2] : -points[i / 2]);
  TRY(assay_examine_run(it, inputs, &y, err));
  for (int i = 0; i < POINTS; i += 2) {
    double x = points[i / 2], above = assay_examine_get(&y, i);
    double below = assay_examine_get(&y, i + 1), rounding = 32 * assay_examine_roundoff(&y) * x;
    if (!(fabs(above - below - x) <= rounding))
      assay_examine_object(it, "gelu(%g) - gelu(-%g) is %.9g", x, x, above - below);
    if (!(below <= 0 && below >= -0.18 && above >= below))
      assay_examine_object(it, "gelu(-%g) is %.9g", x, below);
    if (x >= 12 && !(fabs(above - x) <= rounding && fabs(below) <= rounding))
      assay_examine_object(it, "gelu(%g) is %.9g, gelu(-%g) is %.9g", x, above, x, below);
  }
  double one = assay_examine_get(&y, 2);
  if (!(fabs(one - 0.841191991) < 1e-6)) // the tanh form's; that of erf is 0.841344746
    assay_examine_object(it, "gelu(1) is %.9g", one);
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_gelu_limits;
const assay_property assay_property_gelu_limits = {
    .name = "gelu_limits",
    .summary = "gelu(x) tends to x and to 0, and gelu(x) - gelu(-x) = x",
    .applies = applies,
    .check = check,
};
