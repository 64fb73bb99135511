// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One arena owns what the stages of a case make; it is freed whole.
#ifndef ASSAY_COMPILER_BASE_ARENA_H
#define ASSAY_COMPILER_BASE_ARENA_H

#include "compiler/base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_arena assay_arena;

// Memory for bookkeeping only: tensors are allocated by those who can guard them. Running out of
// memory aborts the process: in a case's child that is the verdict CRASH, and nothing else is lost.
assay_arena *assay_arena_create(void);
void assay_arena_destroy(assay_arena *arena); // NULL is allowed

// count objects of size bytes, zeroed, aligned for any type; never NULL, valid until destroy.
void *assay_arena_take(assay_arena *arena, size_t count, size_t size);

// A copy of the string in the arena.
char *assay_arena_string(assay_arena *arena, const char *string);
// A copy of length bytes with a '\0' after them.
char *assay_arena_bytes(assay_arena *arena, const void *bytes, size_t length);
// The formatted string, in the arena.
ASSAY_PRINTF(2, 3) char *assay_arena_format(assay_arena *arena, const char *format, ...);

#ifdef __cplusplus
}
#endif

#endif
