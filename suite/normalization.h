// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the properties of layer_norm share.
#ifndef ASSAY_SUITE_NORMALIZATION_H
#define ASSAY_SUITE_NORMALIZATION_H

#include "suite/property.h"

// Inputs with that gain for all columns and the bias 0.
assay_buffer *assay_normalization_inputs(assay_examination *it, double gain);

typedef struct assay_moments {
  double mean, variance, largest; // of |x|
} assay_moments;

// Those of a row, the variance the biased one.
assay_moments assay_moments_of_row(const assay_buffer *x, int64_t row);

#endif
