// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/product.h"

static void fill(const assay_buffer *matrix, double value) {
  for (int64_t i = 0; i < assay_shape_count(&matrix->shape); i++)
    assay_examine_set(matrix, i, value);
}

// Whether two pairs of operands have different products.
static assay_code differ(assay_examination *it, const assay_buffer a[2], const assay_buffer b[2],
                         bool *out_differ, assay_error *err) {
  assay_buffer first, second;
  TRY(assay_examine_run(it, a, &first, err));
  TRY(assay_examine_run(it, b, &second, err));
  *out_differ = !assay_examine_same(&first, &second, 0, assay_examine_rows(&first));
  return ASSAY_OK;
}

assay_code assay_product_sees_ones(assay_examination *it, bool *out_sees, assay_error *err) {
  assay_buffer *ones = assay_examine_inputs(it), *zeros = assay_examine_inputs(it);
  for (int side = 0; side < 2; side++) {
    fill(&ones[side], 1);
    fill(&zeros[side], 0);
  }
  return differ(it, ones, zeros, out_sees, err);
}

assay_code assay_product_sees_order(assay_examination *it, bool *out_sees, assay_error *err) {
  assay_buffer *pair = assay_examine_inputs(it);
  int64_t size = assay_examine_rows(it->result);
  fill(&pair[0], 0);
  fill(&pair[1], 0);
  assay_examine_set(&pair[0], size - 1, 1);
  assay_examine_set(&pair[1], (size - 1) * size, 1);
  return differ(it, pair, (assay_buffer[]){pair[1], pair[0]}, out_sees, err);
}
