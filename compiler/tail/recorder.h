// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside of the recorder, for the printing functions.
#ifndef ASSAY_COMPILER_TAIL_RECORDER_H
#define ASSAY_COMPILER_TAIL_RECORDER_H

#include "compiler/tail/record.h"

// Of what is taken down: its elements and where they lie, strides in elements.
typedef struct assay_recorded {
  assay_observed_kind kind;
  int index; // of results and arguments
  assay_element element;
  int bytes, bits; // bits of integers; 0: all
  bool is_complex;
  int rank;
  int64_t dim[ASSAY_OBSERVED_MAX_RANK], stride[ASSAY_OBSERVED_MAX_RANK];
} assay_recorded;

// A memref's descriptor as MLIR passes it: sizes, then strides.
typedef struct assay_descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t numbers[]; // rank sizes, then rank strides
} assay_descriptor;

void assay_recorder_add(const assay_recorded *what, const void *first);
// Rank, sizes and strides come from the descriptor.
void assay_recorder_add_descriptor(assay_recorded *what, int64_t rank, const void *descriptor);

#endif
