// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/shared.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, SMALLEST = 64 * 1024 };

// Stands at the front of its own range, so that all processes see the same counter. A process that
// dies while it takes leaves no lock behind, for there is none.
struct assay_shared {
  size_t size;
  _Atomic size_t used;
};

_Static_assert(sizeof(assay_shared) <= ALIGNMENT, "the first piece starts behind the header");

assay_code assay_shared_create(size_t bytes, assay_shared **out_shared, assay_error *err) {
  if (bytes < SMALLEST)
    bytes = SMALLEST;
  // Limits on addresses may refuse the whole range; a smaller one may still be enough.
  for (; bytes >= SMALLEST; bytes /= 2) {
    void *range = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED)
      continue;
    assay_shared *shared = range;
    shared->size = bytes;
    atomic_init(&shared->used, ALIGNMENT);
    *out_shared = shared;
    return ASSAY_OK;
  }
  return assay_fail(err, ASSAY_FAILED, "cannot reserve memory to share with other processes: %s",
                    strerror(errno));
}

void assay_shared_destroy(assay_shared *shared) {
  if (shared != NULL)
    munmap(shared, shared->size);
}

void *assay_shared_take(assay_shared *shared, size_t size) {
  if (size > shared->size)
    return NULL;
  size_t need = size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  size_t used = atomic_load(&shared->used);
  do {
    if (need > shared->size - used)
      return NULL;
  } while (!atomic_compare_exchange_weak(&shared->used, &used, used + need));
  return (char *)shared + used; // the system hands out zeroed pages, and no piece is used twice
}

void *assay_shared_copy(assay_shared *shared, const void *bytes, size_t size) {
  void *copy = assay_shared_take(shared, size);
  if (copy != NULL && size > 0)
    memcpy(copy, bytes, size);
  return copy;
}

char *assay_shared_string(assay_shared *shared, const char *text) {
  return assay_shared_copy(shared, text, strlen(text) + 1);
}
