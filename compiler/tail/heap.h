// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of a program under test, in a process of its own: fresh memory holds a poison, and in a
// guarded one each block ends where the next page may not be touched.
#ifndef ASSAY_COMPILER_TAIL_HEAP_H
#define ASSAY_COMPILER_TAIL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Before the first block of the process. moved: blocks lie at other addresses than without. uneven:
// the poison differs from place to place, so that what cancels in equal bytes shows.
void assay_heap_open(unsigned char poison, bool guarded, bool moved, bool uneven);
// Whether bytes hold what fresh memory does.
bool assay_heap_is_fresh(const void *start, size_t size);
// Poisoned; never NULL (running out of memory aborts).
void *assay_heap_take(size_t size, size_t alignment);

// A block that the program still holds or has freed.
typedef struct assay_heap_block {
  const unsigned char *start;
  size_t size;
  bool is_freed;
} assay_heap_block;

// The block at an address or next to it in its pages; false where none is. Guarded heaps know all
// blocks, others only those that are held.
bool assay_heap_find(const void *address, assay_heap_block *out_block);
// What the program did to its heap that stopped nothing ("free of a block ..."); "" if nothing.
const char *assay_heap_violation(void);

// What the program calls: the C library's functions on this heap.
void *assay_heap_malloc(size_t size);
void *assay_heap_calloc(size_t count, size_t size);
void *assay_heap_realloc(void *old, size_t size);
void *assay_heap_aligned_alloc(size_t alignment, size_t size);
int assay_heap_posix_memalign(void **out_block, size_t alignment, size_t size);
void assay_heap_free(void *start);

#endif
