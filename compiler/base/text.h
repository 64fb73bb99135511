// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text: a string that grows in an arena, hashes of strings, and the nearest of several names.
#ifndef ASSAY_COMPILER_BASE_TEXT_H
#define ASSAY_COMPILER_BASE_TEXT_H

#include "compiler/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Start with {.arena = arena}; data is '\0'-terminated once anything was appended, else NULL.
typedef struct assay_text {
  assay_arena *arena;
  char *data;
  size_t length, capacity; // bytes, without the '\0'
} assay_text;

void assay_text_append(assay_text *text, const char *bytes, size_t length);
ASSAY_PRINTF(2, 3) void assay_text_print(assay_text *text, const char *format, ...);
// The string so far, "" if nothing was appended.
const char *assay_text_get(const assay_text *text);

// Appends a word, in quotes where a shell needs them.
void assay_text_quote(assay_text *text, const char *word);

// Whether both say the same, or are both missing (NULL).
bool assay_text_equal(const char *a, const char *b);

// FNV-1a, 64 bits, of the string's bytes (offset basis 0xcbf29ce484222325, prime 0x100000001b3);
// the NumPy oracle computes the same. Source: draft-eastlake-fnv.
uint64_t assay_hash_string(const char *string);
// Continues a hash over more bytes; start from ASSAY_HASH_START.
#define ASSAY_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t assay_hash_bytes(uint64_t hash, const void *bytes, size_t length);

// The name nearest to word by edit distance (a swap of neighbours counts one), or NULL when none is
// near enough to be meant: more than 1 + a third of the longer word away, and no prefix of it.
const char *assay_nearest(const char *word, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif

#endif
