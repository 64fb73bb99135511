// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/product.h"

#include <string.h>

enum { MOST_ROWS = 65 };

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_of(params, "matmul") && assay_params_floating(params) &&
         assay_params_dtype(params, "dtype") == assay_params_dtype(params, "rhs_dtype") &&
         assay_params_size(params, "m") == assay_params_size(params, "n") &&
         assay_params_size(params, "m") > 1 && assay_params_size(params, "m") <= MOST_ROWS &&
         strcmp(assay_params_choice(params, "lhs"), "plain") == 0 &&
         strcmp(assay_params_choice(params, "rhs"), "transposed") == 0 &&
         strcmp(assay_params_choice(params, "result"), "plain") == 0;
}

static bool is_zero(const assay_buffer *x, int64_t row) {
  bool zero = true;
  int64_t columns = assay_examine_columns(x);
  for (int64_t i = row * columns; i < (row + 1) * columns; i++)
    zero &= assay_examine_get(x, i) == 0;
  return zero;
}

static assay_code check(assay_examination *it, assay_error *err) {
  assay_buffer *copies = assay_examine_inputs(it), shared, apart;
  int64_t rows = assay_examine_rows(it->result), columns = assay_examine_columns(it->result);
  TRY(assay_examine_run(it, (assay_buffer[]){copies[0], copies[0]}, &shared, err));
  TRY(assay_examine_run(it, (assay_buffer[]){it->inputs[0], copies[0]}, &apart, err));
  if (!assay_examine_same(&shared, &apart, 0, rows))
    assay_examine_object(it, "x @ x.T of one buffer is not that of two equal ones");
  bool seen = !assay_examine_same(&shared, it->result, 0, rows);
  if (!seen)
    TRY(assay_product_sees_ones(it, &seen, err));
  if (!seen)
    assay_examine_object(it, "the product did not change with its operands");
  for (int64_t i = 0; i < rows; i++)
    if (!is_zero(&it->inputs[0], i) && !(assay_examine_get(&shared, i * columns + i) > 0))
      assay_examine_object(it, "element [%d,%d] of x @ x.T, a sum of squares, is not positive",
                           (int)i, (int)i);
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_shared_input;
const assay_property assay_property_shared_input = {
    .name = "shared_input",
    .summary = "one tensor passed as both operands gives the same bits as a copy of it",
    .applies = applies,
    .check = check,
};
