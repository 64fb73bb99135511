// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/product.h"

#include <string.h>

static bool applies(const assay_params *params, const char *data) {
  return assay_params_square(params) && strcmp(data, "int") == 0;
}

// The transpose of a square matrix.
static void transpose(const assay_buffer *x, const assay_buffer *into) {
  int64_t size = assay_examine_rows(x);
  for (int64_t i = 0; i < size * size; i++)
    assay_examine_set(into, i, assay_examine_get(x, i % size * size + i / size));
}

static assay_code check(assay_examination *it, assay_error *err) {
  int64_t size = assay_examine_rows(it->result);
  assay_buffer *inputs = assay_examine_inputs(it), product, swapped;
  transpose(&it->inputs[1], &inputs[0]);
  transpose(&it->inputs[0], &inputs[1]);
  TRY(assay_examine_run(it, inputs, &product, err));
  for (int64_t i = 0; i < size * size; i++)
    if (assay_examine_get(&product, i) != assay_examine_get(it->result, i % size * size + i / size))
      assay_examine_object(it, "element [%d,%d] of B^T A^T is not that of (A B)^T", (int)(i / size),
                           (int)(i % size));
  TRY(assay_examine_run(it, (assay_buffer[]){it->inputs[1], it->inputs[0]}, &swapped, err));
  bool seen = size == 1 || !assay_examine_same(&swapped, it->result, 0, size);
  if (!seen)
    TRY(assay_product_sees_order(it, &seen, err));
  if (!seen)
    assay_examine_object(it, "B A is A B");
  return ASSAY_OK;
}

// For the generated table.
extern const assay_property assay_property_matmul_transposition;
const assay_property assay_property_matmul_transposition = {
    .name = "matmul_transposition",
    .summary = "on whole numbers (A B)^T = B^T A^T, bit for bit",
    .applies = applies,
    .check = check,
};
