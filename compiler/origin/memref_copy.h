// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's memrefCopy, with what is kept beside memory; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_MEMREF_COPY_H
#define ASSAY_COMPILER_ORIGIN_MEMREF_COPY_H

#include <stdint.h>

// What is kept of `bytes` bytes goes with them.
typedef void assay_memory_copy(void *to, const void *from, int64_t bytes);

// Copies the elements of one unranked memref to another of its sizes, each after copy was told of
// it.
void assay_memref_copy(int64_t element_bytes, const void *from, const void *to,
                       assay_memory_copy *copy);

#endif
