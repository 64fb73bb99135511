// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of what stands in memory, by its address; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_EXACT_MEMORY_H
#define ASSAY_COMPILER_ORIGIN_EXACT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

// 0: it has none.
void assay_exact_remember(const void *address, uint64_t bits, int number);
// 0 where none is known, or others bits have been written there since.
int assay_exact_recall(const void *address, uint64_t bits);
// Bytes were, or are to be, copied; from NULL: overwritten by what has no number.
void assay_exact_copy(void *to, const void *from, int64_t bytes);
// MLIR's own function of that purpose: elements of a size, unranked memrefs.
void assay_exact_copy_memref(int64_t element_bytes, const void *from, const void *to);

#endif
