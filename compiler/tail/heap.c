// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/heap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  ALIGNMENT = 16,
  MOST_GUARDED = 16000, // blocks: the system allows some 65000 mappings, a guarded block takes 3
};

typedef struct heap_entry {
  unsigned char *start;
  size_t size;
  unsigned char *map; // NULL: from the C library
  size_t map_size;
  bool is_freed;
} heap_entry;

// One program runs in a process; its calls carry no context.
static struct {
  unsigned char poison;
  bool guarded, uneven;
  heap_entry *blocks;
  size_t count, capacity;
  int guarded_count;
  char violation[160];
} heap;

// Takes the room where blocks would lie, of the system and of the C library: small holes as well.
static void occupy(void) {
  enum { PIECES = 24 };
  static void *blocks[PIECES]; // kept, as the maps are
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < PIECES; i++) {
    void *map = mmap(NULL, (3 + i) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    blocks[i] = malloc(48 << (i / 2));
    if (map == MAP_FAILED || blocks[i] == NULL)
      abort();
  }
}

void assay_heap_open(unsigned char poison, bool guarded, bool moved, bool uneven) {
  heap.poison = poison;
  heap.guarded = guarded;
  heap.uneven = uneven;
  if (moved)
    occupy();
}

// What a byte of fresh memory holds. Uneven: each four bytes are one of four neighbours of the
// poison, by their address (the golden ratio spreads what lies side by side).
static unsigned char fresh_byte(const unsigned char *at) {
  uint64_t word = (uint64_t)(uintptr_t)at >> 2;
  unsigned change = heap.uneven ? (unsigned)(word * UINT64_C(0x9E3779B97F4A7C15) >> 62) : 0;
  return (unsigned char)(heap.poison ^ change);
}

static void fill(unsigned char *start, size_t size) {
  memset(start, heap.poison, size);
  for (size_t i = 0; i < size && heap.uneven; i++)
    start[i] = fresh_byte(start + i);
}

bool assay_heap_is_fresh(const void *start, size_t size) {
  const unsigned char *at = start;
  bool even = true, uneven = true; // memory of the stack is even always
  for (size_t i = 0; i < size && (even || uneven); i++) {
    even = even && at[i] == heap.poison;
    uneven = uneven && at[i] == fresh_byte(at + i);
  }
  return even || uneven;
}

static heap_entry *add_block(void) {
  if (heap.count == heap.capacity) {
    heap.capacity = heap.capacity == 0 ? 256 : 2 * heap.capacity;
    heap_entry *blocks = realloc(heap.blocks, heap.capacity * sizeof *heap.blocks);
    if (blocks == NULL)
      abort();
    heap.blocks = blocks;
  }
  return &heap.blocks[heap.count++];
}

// As far as the size allows: a block must end with its page.
static size_t natural_alignment(size_t size) {
  size_t alignment = 64;
  while (alignment > 1 && size % alignment != 0)
    alignment /= 2;
  return alignment;
}

static void *take_guarded(size_t size, size_t alignment) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), natural = natural_alignment(size);
  size_t span = (size + alignment + page - 1) / page * page;
  unsigned char *map = mmap(NULL, span + 2 * page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    abort();
  mprotect(map, page, PROT_NONE);
  mprotect(map + page + span, page, PROT_NONE);
  uintptr_t start = (uintptr_t)(map + page + span - size);
  if (alignment > natural)
    start = start / alignment * alignment;
  fill(map + page, span);
  *add_block() = (heap_entry){(unsigned char *)start, size, map, span + 2 * page, false};
  heap.guarded_count++;
  return (void *)start;
}

void *assay_heap_take(size_t size, size_t alignment) {
  if (heap.guarded && heap.guarded_count < MOST_GUARDED)
    return take_guarded(size, alignment);
  if (alignment < ALIGNMENT)
    alignment = ALIGNMENT;
  size_t rounded = (size + alignment - 1) / alignment * alignment;
  if (rounded < size)
    abort();
  unsigned char *start = aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (start == NULL)
    abort();
  fill(start, rounded);
  *add_block() = (heap_entry){.start = start, .size = size};
  return start;
}

// From the end: what was taken last is given back first, as a rule.
static heap_entry *find_start(const void *start) {
  for (size_t i = heap.count; i > 0; i--)
    if (heap.blocks[i - 1].start == start)
      return &heap.blocks[i - 1];
  return NULL;
}

bool assay_heap_find(const void *address, assay_heap_block *out_block) {
  const unsigned char *at = address;
  for (size_t i = heap.count; i > 0; i--) {
    const heap_entry *b = &heap.blocks[i - 1];
    bool inside = b->map != NULL ? at >= b->map && at < b->map + b->map_size
                                 : at >= b->start && at < b->start + (b->size > 0 ? b->size : 1);
    if (!inside)
      continue;
    *out_block = (assay_heap_block){b->start, b->size, b->is_freed};
    return true;
  }
  return false;
}

static void note_violation(const char *what, size_t size) {
  if (heap.violation[0] == '\0')
    snprintf(heap.violation, sizeof heap.violation, "%s: block of %zu bytes", what, size);
}

static bool is_untouched(const unsigned char *from, const unsigned char *end) {
  while (from < end && *from == fresh_byte(from))
    from++;
  return from >= end;
}

// What lies in a guarded block's pages and is not the block's: an alignment may leave some behind.
static void check_surroundings(const heap_entry *block) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (!is_untouched(block->map + page, block->start))
    note_violation("heap write before the start", block->size);
  if (!is_untouched(block->start + block->size, block->map + block->map_size - page))
    note_violation("heap write behind the end", block->size);
}

const char *assay_heap_violation(void) {
  for (size_t i = 0; i < heap.count; i++)
    if (heap.blocks[i].map != NULL && !heap.blocks[i].is_freed)
      check_surroundings(&heap.blocks[i]);
  return heap.violation;
}

void *assay_heap_malloc(size_t size) {
  return assay_heap_take(size, 1);
}

void *assay_heap_calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size)
    return NULL;
  void *block = assay_heap_take(count * size, 1);
  memset(block, 0, count * size);
  return block;
}

void *assay_heap_realloc(void *old, size_t size) {
  void *fresh = assay_heap_take(size, 1);
  if (old == NULL)
    return fresh;
  const heap_entry *known = find_start(old);
  if (known != NULL)
    memcpy(fresh, old, known->size < size ? known->size : size);
  assay_heap_free(old);
  return fresh;
}

void *assay_heap_aligned_alloc(size_t alignment, size_t size) {
  return assay_heap_take(size, alignment);
}

int assay_heap_posix_memalign(void **out_block, size_t alignment, size_t size) {
  *out_block = assay_heap_take(size, alignment);
  return 0;
}

void assay_heap_free(void *start) {
  if (start == NULL)
    return;
  heap_entry *known = find_start(start);
  if (known == NULL) {
    assay_heap_block around;
    if (!assay_heap_find(start, &around))
      free(start); // from a library that the program called
    else
      note_violation("free of an address inside a block", around.size);
    return;
  }
  if (known->is_freed) {
    note_violation("free of a block for the second time", known->size);
    return;
  }
  if (known->map != NULL) {
    // Its pages stay out of reach, so that a later use is seen.
    check_surroundings(known);
    known->is_freed = true;
    mprotect(known->map, known->map_size, PROT_NONE);
    madvise(known->map, known->map_size, MADV_DONTNEED);
    return;
  }
  *known = heap.blocks[--heap.count];
  free(start);
}
