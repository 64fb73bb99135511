// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/product.h"

static bool applies(const assay_params *params, const char *data) {
  (void)data;
  return assay_params_square(params);
}

static assay_code check(assay_examination *it, assay_error *err) {
  int64_t size = assay_examine_rows(it->result);
  bool seen = false;
  for (int64_t i = 0; i < size * size; i++)
    seen |= assay_examine_get(it->result, i) != 0;
  if (!seen)
    TRY(assay_product_sees_ones(it, &seen, err));
  if (!seen)
    assay_examine_object(it, "products of other numbers are zero, too");
  for (int side = 0; side < 2; side++) {
    assay_buffer *inputs = assay_examine_inputs(it), product;
    for (int64_t i = 0; i < size * size; i++)
      assay_examine_set(&inputs[side], i, 0);
    TRY(assay_examine_run(it, inputs, &product, err));
    for (int64_t i = 0; i < size * size; i++)
      if (assay_examine_get(&product, i) != 0)
        assay_examine_object(it, "with zeros as %s element %d is not zero",
                             side == 0 ? "lhs" : "rhs", (int)i);
  }
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_matmul_zero;
const assay_property assay_property_matmul_zero = {
    .name = "matmul_zero",
    .summary = "a product with zeros is zero",
    .applies = applies,
    .check = check,
};
