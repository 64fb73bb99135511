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

// An allocation: this header, then size bytes for the program; a guarded one has a fence on either
// side of those.
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

// Runs of a program ask for the same sizes again and again: memory goes round inside the runtime,
// as fresh pages from the system would cost more than most of what is computed in them.
static void *take_unguarded(assay_runtime *runtime, int64_t size) {
  assay_allocation **link = &runtime->idle;
  while (*link != NULL && (*link)->size != size)
    link = &(*link)->next;
  assay_allocation *allocation = *link;
  if (allocation != NULL) {
    *link = allocation->next;
  } else {
    allocation = take(sizeof *allocation + (size_t)size);
    allocation->size = size;
  }
  return allocation + 1;
}

static void count(assay_heap *heap, int64_t size) {
  heap->allocations++;
  heap->bytes += size;
  heap->live += size;
  if (heap->live > heap->peak)
    heap->peak = heap->live;
}

void *assay_runtime_alloc(assay_runtime *runtime, int64_t size) {
  if (size < 0 || size > PTRDIFF_MAX / 2)
    abort();
  count(&runtime->heap, size);
  if (!runtime->guarded)
    return take_unguarded(runtime, size);
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
    assay_allocation *idle = (assay_allocation *)data - 1;
    runtime->heap.live -= idle->size;
    idle->next = runtime->idle;
    runtime->idle = idle;
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
  runtime->heap.live -= allocation->size;
  // Kept as poison until the run is over: who reads it computes with NaN, who writes it is found.
  memset(data, POISON, (size_t)allocation->size);
  *link = allocation->next;
  allocation->next = runtime->idle;
  runtime->idle = allocation;
}

int64_t assay_runtime_overwritten(const assay_runtime *runtime) {
  for (assay_allocation *at = runtime->idle; at != NULL && runtime->guarded; at = at->next)
    for (int64_t i = 0; i < at->size; i++)
      if (data_of(at)[i] != POISON)
        return at->size;
  return -1;
}

size_t assay_runtime_live(const assay_runtime *runtime) {
  size_t count = 0;
  for (const assay_allocation *at = runtime->live; at != NULL; at = at->next)
    count++;
  return count;
}

static void free_all(assay_allocation *list) {
  while (list != NULL) {
    assay_allocation *next = list->next;
    free(list);
    list = next;
  }
}

void assay_runtime_forget(assay_runtime *runtime) {
  free_all(runtime->idle);
  runtime->idle = NULL;
}

void assay_runtime_release(assay_runtime *runtime) {
  free_all(runtime->live);
  runtime->live = NULL;
  assay_runtime_forget(runtime);
}
