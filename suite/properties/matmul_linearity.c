// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/product.h"

#include <string.h>

static bool applies(const assay_params *params, const char *data) {
  return assay_params_square(params) && strcmp(data, "int") == 0;
}

// A' is A with its elements back to front.
static assay_code check(assay_examination *it, assay_error *err) {
  int64_t count = assay_shape_count(&it->result->shape);
  assay_buffer *inputs = assay_examine_inputs(it), other, sum;
  for (int64_t i = 0; i < count; i++)
    assay_examine_set(&inputs[0], i, assay_examine_get(&it->inputs[0], count - 1 - i));
  TRY(assay_examine_run(it, inputs, &other, err));
  for (int64_t i = 0; i < count; i++)
    assay_examine_set(&inputs[0], i,
                      assay_examine_get(&inputs[0], i) + assay_examine_get(&it->inputs[0], i));
  TRY(assay_examine_run(it, inputs, &sum, err));
  for (int64_t i = 0; i < count; i++)
    if (assay_examine_get(&sum, i) !=
        assay_examine_get(it->result, i) + assay_examine_get(&other, i))
      assay_examine_object(it, "element %d of (A + A') B is not the sum", (int)i);
  bool seen = !assay_examine_same(&other, it->result, 0, assay_examine_rows(&other));
  if (!seen)
    TRY(assay_product_sees_ones(it, &seen, err));
  if (!seen)
    assay_examine_object(it, "the product did not change with its operands");
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_matmul_linearity;
const assay_property assay_property_matmul_linearity = {
    .name = "matmul_linearity",
    .summary = "on whole numbers (A + A') B = A B + A' B, bit for bit",
    .applies = applies,
    .check = check,
};
