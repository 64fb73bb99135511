// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The descriptor of a ranked memref, as compiled code takes it: of a contiguous tensor in row-major
// order.
#ifndef ASSAY_COMPILER_BACKENDS_SUPPORT_DESCRIPTOR_H
#define ASSAY_COMPILER_BACKENDS_SUPPORT_DESCRIPTOR_H

#include "compiler/language/shape.h"

// MLIR's layout: two pointers, the offset, then `rank` sizes and right after them `rank` strides.
typedef struct assay_descriptor {
  void *allocated, *aligned;
  int64_t offset;
  int64_t extent[2 * ASSAY_MAX_RANK];
} assay_descriptor;

// Fills in all but the pointers.
void assay_descriptor_describe(assay_descriptor *descriptor, const assay_shape *shape);
void assay_descriptor_point(assay_descriptor *descriptor, void *data);

#endif
