// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime from inside, and the functions that compiled code calls. Their signatures are an ABI:
// of MLIR's lowering of memrefs (descriptors by pointer, as `llvm.emit_c_interface` passes them)
// and of its generic allocation functions.
#ifndef ASSAY_COMPILER_RUNTIME_STATE_H
#define ASSAY_COMPILER_RUNTIME_STATE_H

#include "compiler/runtime/runtime.h"

typedef struct assay_allocation assay_allocation;

struct assay_runtime {
  bool guarded;
  int64_t blas_calls;
  assay_heap heap;
  assay_allocation *live; // guarded allocations that were not freed, newest first
  assay_allocation *idle; // what was freed: unguarded to be given out again, guarded to be watched
  char fault[256];        // the first fault; "" while there is none
};

// Keeps the first fault of a run.
ASSAY_PRINTF(2, 3) void assay_runtime_fault(assay_runtime *runtime, const char *format, ...);

// size bytes aligned to 64; aborts the process where there is no memory, as compiled code checks
// nothing.
void *assay_runtime_alloc(assay_runtime *runtime, int64_t size);
void assay_runtime_free(assay_runtime *runtime, void *data); // NULL is allowed

// How many guarded allocations were not freed.
size_t assay_runtime_live(const assay_runtime *runtime);
// The size of a guarded allocation that was written to after it was freed; -1 where there is none.
int64_t assay_runtime_overwritten(const assay_runtime *runtime);
// Gives back what is idle.
void assay_runtime_forget(assay_runtime *runtime);
// Gives back everything.
void assay_runtime_release(assay_runtime *runtime);

// A memref of any rank: its descriptor begins with the buffer (for freeing), the aligned base, the
// offset in elements, then sizes and strides in elements.
typedef struct assay_memref {
  void *allocated;
  char *base;
  int64_t offset;
  int64_t extent[]; // rank sizes, then rank strides
} assay_memref;

typedef struct assay_unranked_memref {
  int64_t rank;
  assay_memref *descriptor;
} assay_unranked_memref;

// Copies elements between memrefs of equal shape and any layout; size: of an element, in bytes.
void assay_runtime_copy(int64_t size, const assay_unranked_memref *source,
                        const assay_unranked_memref *target);

// The contraction through the BLAS, on memrefs of any strides: MxK by KxN into MxN, or all three
// with a batch axis before. C overlaps neither A nor B; they may overlap each other.
void assay_runtime_gemm_f32(assay_runtime *runtime, const assay_unranked_memref *a,
                            const assay_unranked_memref *b, const assay_unranked_memref *c,
                            int32_t flags);
void assay_runtime_gemm_f64(assay_runtime *runtime, const assay_unranked_memref *a,
                            const assay_unranked_memref *b, const assay_unranked_memref *c,
                            int32_t flags);

#endif
