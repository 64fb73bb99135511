// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <string.h>

enum { MOST_TOKENS = 33 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "attention") && assay_params_floating(params) &&
         strcmp(assay_params_choice(params, "mask"), "none") == 0 &&
         assay_params_size(params, "t") > 1 && assay_params_size(params, "t") <= MOST_TOKENS;
}

// The rows of a tensor back to front.
static void reverse(const assay_buffer *buffer, const assay_buffer *into) {
  int64_t rows = assay_examine_rows(buffer), columns = assay_examine_columns(buffer);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < columns; j++)
      assay_examine_set(into, i * columns + j,
                        assay_examine_get(buffer, (rows - 1 - i) * columns + j));
}

// Whether generic tokens in another order give another result.
static assay_code order_counts(assay_examination *it, bool *out_counts, assay_error *err) {
  *out_counts = false;
  for (int set = 0; set < ASSAY_GENERIC_SETS && !*out_counts; set++) {
    assay_buffer *inputs = assay_examine_generic(it, set), *other = assay_examine_generic(it, set);
    assay_buffer before, after;
    reverse(&inputs[0], &other[0]);
    TRY(assay_examine_run(it, inputs, &before, err));
    TRY(assay_examine_run(it, other, &after, err));
    *out_counts = !assay_examine_same(&before, &after, 0, assay_examine_rows(&before));
  }
  return ASSAY_OK;
}

// Sums over the tokens are taken in another order: within what that may change.
static assay_code check(assay_examination *it, assay_error *err) {
  assay_buffer *inputs = assay_examine_inputs(it), changed;
  reverse(&it->inputs[0], &inputs[0]);
  TRY(assay_examine_run(it, inputs, &changed, err));
  assay_buffer *again = assay_examine_inputs(it), back;
  TRY(assay_examine_run(it, again, &back, err)); // a tensor like the result, to be overwritten
  reverse(&changed, &back);
  double distance = assay_examine_distance(&back, it->result);
  if (!(distance <= it->slack))
    assay_examine_object(it, "rows are off by %.3g, at most %.3g is rounding", distance, it->slack);
  bool counts = !assay_examine_same(&changed, it->result, 0, assay_examine_rows(it->result));
  if (!counts)
    TRY(order_counts(it, &counts, err));
  if (!counts)
    assay_examine_object(it, "the result did not change with the tokens' order");
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_permutation_equivariance;
const assay_property assay_property_permutation_equivariance = {
    .name = "permutation_equivariance",
    .summary = "attention without a mask gives tokens in another order their rows in that order",
    .applies = applies,
    .check = check,
};
