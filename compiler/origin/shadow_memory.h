// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadows of values in memory, by their address; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_SHADOW_MEMORY_H
#define ASSAY_COMPILER_ORIGIN_SHADOW_MEMORY_H

#include "compiler/origin/shadow.h"

void assay_shadow_remember(const void *address, double value, const assay_shadow *shadow);
// False where there is none, or something else has been written there since: the value is another.
bool assay_shadow_recall(const void *address, double value, assay_shadow *out_shadow);
// Bytes were, or are to be, copied: what has no shadow leaves none. from NULL: written by something
// without shadows.
void assay_shadow_copy(void *to, const void *from, int64_t bytes);
// MLIR's own function of that purpose, with shadows: elements of a size, unranked memrefs.
void assay_shadow_copy_memref(int64_t element_bytes, const void *from, const void *to);

#endif
