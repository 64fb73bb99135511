// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/product.h"

#include <string.h>

static bool applies(const assay_params *params, const char *data) {
  return assay_params_square(params) && strcmp(data, "int") == 0;
}

// All numbers stay below 33^2 8^3 < 2^24: exact in every dtype.
static assay_code check(assay_examination *it, assay_error *err) {
  const assay_buffer *a = &it->inputs[0], *b = &it->inputs[1];
  assay_buffer left, inner, right;
  int64_t size = assay_examine_rows(it->result);
  TRY(assay_examine_run(it, (assay_buffer[]){*it->result, *a}, &left, err));
  TRY(assay_examine_run(it, (assay_buffer[]){*b, *a}, &inner, err));
  TRY(assay_examine_run(it, (assay_buffer[]){*a, inner}, &right, err));
  for (int64_t i = 0; i < size * size; i++)
    if (assay_examine_get(&left, i) != assay_examine_get(&right, i))
      assay_examine_object(it, "element %d of (A B) A is not that of A (B A)", (int)i);
  bool seen = size == 1 || !assay_examine_same(&inner, it->result, 0, size);
  if (!seen)
    TRY(assay_product_sees_order(it, &seen, err));
  if (!seen)
    assay_examine_object(it, "B A is A B");
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_matmul_associativity;
const assay_property assay_property_matmul_associativity = {
    .name = "matmul_associativity",
    .summary = "on whole numbers (A B) A = A (B A), bit for bit",
    .applies = applies,
    .check = check,
};
