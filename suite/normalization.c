// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/normalization.h"

#include <math.h>

assay_buffer *assay_normalization_inputs(assay_examination *it, double gain) {
  assay_buffer *inputs = assay_examine_inputs(it);
  for (int64_t i = 0; i < assay_examine_columns(it->result); i++) {
    assay_examine_set(&inputs[1], i, gain);
    assay_examine_set(&inputs[2], i, 0);
  }
  return inputs;
}

assay_moments assay_moments_of_row(const assay_buffer *x, int64_t row) {
  int64_t columns = assay_examine_columns(x);
  assay_moments made = {0};
  for (int64_t i = 0; i < columns; i++) {
    double each = assay_examine_get(x, row * columns + i);
    made.mean += each / (double)columns;
    made.largest = fmax(made.largest, fabs(each));
  }
  for (int64_t i = 0; i < columns; i++) {
    double centered = assay_examine_get(x, row * columns + i) - made.mean;
    made.variance += centered * centered / (double)columns;
  }
  return made;
}
