// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/memref_copy.h"

#include <string.h>

typedef struct unranked {
  int64_t rank;
  const void *descriptor;
} unranked;

typedef struct descriptor {
  char *allocated, *aligned;
  int64_t offset, numbers[]; // sizes, then strides
} descriptor;

static void copy_dim(int64_t rank, const int64_t *size, const int64_t *from_stride,
                     const int64_t *to_stride, const char *from, char *to, int64_t bytes,
                     assay_memory_copy *copy) {
  if (rank == 0) {
    copy(to, from, bytes);
    memmove(to, from, (size_t)bytes);
    return;
  }
  for (int64_t i = 0; i < size[0]; i++)
    copy_dim(rank - 1, size + 1, from_stride + 1, to_stride + 1, from + i * from_stride[0] * bytes,
             to + i * to_stride[0] * bytes, bytes, copy);
}

void assay_memref_copy(int64_t element_bytes, const void *from, const void *to,
                       assay_memory_copy *copy) {
  const unranked *source = from, *target = to;
  const descriptor *here = source->descriptor, *there = target->descriptor;
  int64_t rank = source->rank;
  copy_dim(rank, here->numbers, here->numbers + rank, there->numbers + rank,
           here->aligned + here->offset * element_bytes,
           there->aligned + there->offset * element_bytes, element_bytes, copy);
}
