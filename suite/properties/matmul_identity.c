// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/property.h"

#include <string.h>

// Operands rounded to tf32 change, but for small whole numbers.
static bool applies(const assay_params *params, const char *data) {
  return assay_params_square(params) &&
         (assay_params_precision(params) == ASSAY_PRECISION_EXACT || strcmp(data, "int") == 0);
}

static assay_code check(assay_examination *it, assay_error *err) {
  int64_t size = assay_examine_rows(it->result);
  for (int side = 0; side < 2; side++) {
    assay_buffer *inputs = assay_examine_inputs(it), product;
    for (int64_t i = 0; i < size * size; i++)
      assay_examine_set(&inputs[side], i, i / size == i % size);
    TRY(assay_examine_run(it, inputs, &product, err));
    for (int64_t i = 0; i < size * size; i++) // a zero's sign may differ: 0 + -0
      if (assay_examine_get(&product, i) != assay_examine_get(&inputs[1 - side], i))
        assay_examine_object(it, "with an identity as %s element %d changed",
                             side == 0 ? "lhs" : "rhs", (int)i);
  }
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_matmul_identity;
const assay_property assay_property_matmul_identity = {
    .name = "matmul_identity",
    .summary = "a product with an identity is the other operand, bit for bit",
    .applies = applies,
    .check = check,
};
