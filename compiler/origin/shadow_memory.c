// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/shadow_memory.h"

#include "compiler/origin/memref_copy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  uintptr_t address; // 0: free
  double value;
  assay_shadow shadow;
} entry;

static struct {
  entry *entries;
  size_t capacity, count; // capacity: a power of two
} memory;

// The entry of an address, or the free one where it would be.
static entry *find(uintptr_t address) {
  size_t mask = memory.capacity - 1;
  size_t at = (size_t)((address >> 1) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
  while (memory.entries[at].address != 0 && memory.entries[at].address != address)
    at = (at + 1) & mask;
  return &memory.entries[at];
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

void assay_shadow_remember(const void *address, double value, const assay_shadow *shadow) {
  if (2 * (memory.count + 1) > memory.capacity)
    grow();
  entry *at = find((uintptr_t)address);
  memory.count += at->address == 0;
  *at = (entry){.address = (uintptr_t)address, .value = value, .shadow = *shadow};
}

static const entry *look_up(uintptr_t address) {
  if (memory.capacity == 0)
    return NULL;
  const entry *at = find(address);
  return at->address != 0 ? at : NULL;
}

bool assay_shadow_recall(const void *address, double value, assay_shadow *out_shadow) {
  const entry *at = look_up((uintptr_t)address);
  if (at == NULL || at->value != value)
    return false;
  *out_shadow = at->shadow;
  return true;
}

static void forget(uintptr_t address) {
  if (look_up(address) != NULL)
    find(address)->value = (double)NAN; // which equals nothing
}

// Floats stand at even addresses. Of areas that overlap the end behind is copied first.
void assay_shadow_copy(void *to, const void *from, int64_t bytes) {
  uintptr_t source = (uintptr_t)from, target = (uintptr_t)to;
  int64_t count = source == target || memory.count == 0 ? 0 : (bytes + 1) / 2;
  for (int64_t k = 0; k < count; k++) {
    uintptr_t i = (uintptr_t)(2 * (source < target && source != 0 ? count - 1 - k : k));
    const entry *at = source != 0 ? look_up(source + i) : NULL;
    if (at == NULL) {
      forget(target + i);
      continue;
    }
    const entry copy = *at; // the table may move
    assay_shadow_remember((const void *)(target + i), copy.value, &copy.shadow);
  }
}

void assay_shadow_copy_memref(int64_t element_bytes, const void *from, const void *to) {
  assay_memref_copy(element_bytes, from, to, assay_shadow_copy);
}
