// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/exact_memory.h"

#include "compiler/origin/memref_copy.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
  uintptr_t address; // 0: free
  uint64_t bits;
  int number;
} entry;

static struct {
  entry *entries;
  size_t capacity, count; // capacity: a power of two
} memory;

// The entry of an address, or the free one where it would be.
static entry *find(uintptr_t address) {
  size_t mask = memory.capacity - 1;
  size_t at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
  while (memory.entries[at].address != 0 && memory.entries[at].address != address)
    at = (at + 1) & mask;
  return &memory.entries[at];
}

static const entry *look_up(uintptr_t address) {
  const entry *at = memory.capacity > 0 ? find(address) : NULL;
  return at != NULL && at->address != 0 ? at : NULL;
}

static void grow(void) {
  entry *before = memory.entries;
  size_t count = memory.capacity;
  memory.capacity = count == 0 ? 1 << 12 : 2 * count;
  memory.entries = calloc(memory.capacity, sizeof *memory.entries);
  if (memory.entries == NULL)
    abort();
  for (size_t i = 0; i < count; i++)
    if (before[i].address != 0)
      *find(before[i].address) = before[i];
  free(before);
}

void assay_exact_remember(const void *address, uint64_t bits, int number) {
  if (number == 0 && look_up((uintptr_t)address) == NULL)
    return;
  if (2 * (memory.count + 1) > memory.capacity)
    grow();
  entry *at = find((uintptr_t)address);
  memory.count += at->address == 0;
  *at = (entry){.address = (uintptr_t)address, .bits = bits, .number = number};
}

int assay_exact_recall(const void *address, uint64_t bits) {
  const entry *at = look_up((uintptr_t)address);
  return at != NULL && at->bits == bits ? at->number : 0;
}

void assay_exact_copy(void *to, const void *from, int64_t bytes) {
  const unsigned char *source = from;
  unsigned char *target = to;
  bool backward = (uintptr_t)to > (uintptr_t)from; // they may overlap
  for (int64_t i = 0; memory.count > 0 && i < bytes && to != from; i++) {
    int64_t k = backward ? bytes - 1 - i : i;
    const entry *at = from != NULL ? look_up((uintptr_t)(source + k)) : NULL;
    assay_exact_remember(target + k, at != NULL ? at->bits : 0, at != NULL ? at->number : 0);
  }
}

void assay_exact_copy_memref(int64_t element_bytes, const void *from, const void *to) {
  assay_memref_copy(element_bytes, from, to, assay_exact_copy);
}
