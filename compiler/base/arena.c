// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

typedef struct block {
  struct block *next;
  size_t used, size;
  alignas(max_align_t) unsigned char bytes[];
} block;

struct assay_arena {
  block *newest;
};

static block *block_create(size_t size, block *next) {
  block *made = size <= SIZE_MAX - sizeof(block) ? calloc(1, sizeof(block) + size) : NULL;
  if (made == NULL)
    abort();
  made->next = next;
  made->size = size;
  return made;
}

assay_arena *assay_arena_create(void) {
  assay_arena *arena = calloc(1, sizeof *arena);
  if (arena == NULL)
    abort();
  return arena;
}

void assay_arena_destroy(assay_arena *arena) {
  if (arena == NULL)
    return;
  for (block *each = arena->newest, *next; each != NULL; each = next) {
    next = each->next;
    free(each);
  }
  free(arena);
}

void *assay_arena_take(assay_arena *arena, size_t count, size_t size) {
  if (size != 0 && count > (SIZE_MAX / 2) / size)
    abort();
  size_t align = alignof(max_align_t);
  size_t bytes = (count * size + align - 1) / align * align;
  if (bytes == 0)
    bytes = align;
  if (arena->newest == NULL || arena->newest->size - arena->newest->used < bytes)
    arena->newest = block_create(bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES, arena->newest);
  void *taken = arena->newest->bytes + arena->newest->used;
  arena->newest->used += bytes;
  return taken;
}

char *assay_arena_bytes(assay_arena *arena, const void *bytes, size_t length) {
  char *copy = assay_arena_take(arena, length + 1, 1);
  if (length > 0)
    memcpy(copy, bytes, length);
  return copy;
}

char *assay_arena_string(assay_arena *arena, const char *string) {
  return assay_arena_bytes(arena, string, strlen(string));
}

char *assay_arena_format(assay_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *string = assay_arena_take(arena, (size_t)(length > 0 ? length : 0) + 1, 1);
  vsnprintf(string, (size_t)(length > 0 ? length : 0) + 1, format, again);
  va_end(again);
  return string;
}
