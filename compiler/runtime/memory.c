// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIGNMENT = 64, // of a cache line and of the widest vector
  FENCE = 64,     // bytes on either side of an allocation; a multiple of ALIGNMENT before it
  FENCE_BYTE = 0xa5,
  POISON = 0xff, // fresh memory: NaN in every float format, -1 in every integer one
};

// A guarded allocation: this header, a fence, size bytes for the program, and a fence.
struct assay_allocation {
  _Alignas(ALIGNMENT) assay_allocation *next;
  int64_t size;
};

static unsigned char *data_of(assay_allocation *allocation) {
  return (unsigned char *)(allocation + 1) + FENCE;
}

static void *take(size_t size) {
  size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *memory = aligned_alloc(ALIGNMENT, rounded > 0 ? rounded : ALIGNMENT);
  if (memory == NULL)
    abort();
  return memory;
}

void *assay_runtime_alloc(assay_runtime *runtime, int64_t size) {
  if (size < 0 || size > PTRDIFF_MAX / 2)
    abort();
  if (!runtime->guarded)
    return take((size_t)size);
  assay_allocation *allocation = take(sizeof *allocation + 2 * FENCE + (size_t)size);
  *allocation = (assay_allocation){.next = runtime->live, .size = size};
  runtime->live = allocation;
  unsigned char *data = data_of(allocation);
  memset(data - FENCE, FENCE_BYTE, FENCE);
  memset(data, POISON, (size_t)size);
  memset(data + size, FENCE_BYTE, FENCE);
  return data;
}

static bool intact(const unsigned char *fence) {
  for (int i = 0; i < FENCE; i++)
    if (fence[i] != FENCE_BYTE)
      return false;
  return true;
}

void assay_runtime_free(assay_runtime *runtime, void *data) {
  if (data == NULL)
    return;
  if (!runtime->guarded) {
    free(data);
    return;
  }
  assay_allocation **link = &runtime->live;
  while (*link != NULL && data_of(*link) != data)
    link = &(*link)->next;
  assay_allocation *allocation = *link;
  if (allocation == NULL) {
    assay_runtime_fault(runtime, "the program freed an address that it had not allocated");
    return;
  }
  if (!intact(data_of(allocation) - FENCE))
    assay_runtime_fault(runtime, "the program wrote before an allocation of %" PRId64 " bytes",
                        allocation->size);
  if (!intact(data_of(allocation) + allocation->size))
    assay_runtime_fault(runtime, "the program wrote past an allocation of %" PRId64 " bytes",
                        allocation->size);
  *link = allocation->next;
  free(allocation);
}

size_t assay_runtime_live(const assay_runtime *runtime) {
  size_t count = 0;
  for (const assay_allocation *at = runtime->live; at != NULL; at = at->next)
    count++;
  return count;
}

void assay_runtime_release(assay_runtime *runtime) {
  while (runtime->live != NULL) {
    assay_allocation *next = runtime->live->next;
    free(runtime->live);
    runtime->live = next;
  }
}
