// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/state.h"

#include <string.h>

// Copies the axes from `axis` on; strides are in elements.
static void copy_axes(int64_t size, int64_t rank, int64_t axis, const int64_t *extent,
                      const char *source, const int64_t *source_stride, char *target,
                      const int64_t *target_stride) {
  if (axis == rank) {
    memcpy(target, source, (size_t)size);
    return;
  }
  if (axis == rank - 1 && source_stride[axis] == 1 && target_stride[axis] == 1) {
    memcpy(target, source, (size_t)(size * extent[axis]));
    return;
  }
  for (int64_t i = 0; i < extent[axis]; i++)
    copy_axes(size, rank, axis + 1, extent, source + i * source_stride[axis] * size, source_stride,
              target + i * target_stride[axis] * size, target_stride);
}

void assay_runtime_copy(int64_t size, const assay_unranked_memref *source,
                        const assay_unranked_memref *target) {
  const assay_memref *from = source->descriptor, *to = target->descriptor;
  int64_t rank = source->rank;
  for (int64_t axis = 0; axis < rank; axis++)
    if (from->extent[axis] == 0)
      return; // nothing may be read, and the base may be null
  copy_axes(size, rank, 0, from->extent, from->base + from->offset * size, from->extent + rank,
            to->base + to->offset * size, to->extent + rank);
}
