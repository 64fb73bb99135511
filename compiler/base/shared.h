// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that forked processes share: a reserved range of addresses, taken from the front and never
// given back piece by piece. A pointer into it means the same to the process that made the range
// and to all that it forks afterwards, so that a child hands over what it made by leaving it there,
// whatever becomes of its descriptors.
#ifndef ASSAY_COMPILER_BASE_SHARED_H
#define ASSAY_COMPILER_BASE_SHARED_H

#include "compiler/base/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_shared assay_shared;

// Reserves up to bytes; memory is only used once it is written. ASSAY_FAILED where the system
// refuses even a small part of it.
ASSAY_MUST_USE assay_code assay_shared_create(size_t bytes, assay_shared **out_shared,
                                              assay_error *err);
void assay_shared_destroy(assay_shared *shared); // NULL is allowed

// Zeroed bytes, aligned to 64; safe from several processes at once. NULL where the range is full.
void *assay_shared_take(assay_shared *shared, size_t size);
// Copies of bytes, and of a string with its end; NULL where the range is full.
void *assay_shared_copy(assay_shared *shared, const void *bytes, size_t size);
char *assay_shared_string(assay_shared *shared, const char *text);

#ifdef __cplusplus
}
#endif

#endif
