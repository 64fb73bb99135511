// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiled code calls. Each loaded program has a runtime of its own: compiled code refers to
// it as the external symbol `assay_runtime`, which the loader resolves to its address, so two
// programs in one process share nothing and no variable is global.
#ifndef ASSAY_COMPILER_RUNTIME_RUNTIME_H
#define ASSAY_COMPILER_RUNTIME_RUNTIME_H

#include "compiler/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_runtime assay_runtime;

// guarded: allocations are poisoned, fenced and listed (for conformance); otherwise what was freed
// is kept and given out again, so that later runs ask the system for nothing (for benchmarks).
assay_runtime *assay_runtime_create(bool guarded);
void assay_runtime_destroy(
    assay_runtime *runtime); // frees what the program leaked; NULL is allowed

// Before a run: forgets the last run's count and fault.
void assay_runtime_reset(assay_runtime *runtime);
// After a run: ASSAY_FAILED with the first fault of the run (a write outside an allocation, a free
// of something else, memory that was not freed), else ASSAY_OK.
ASSAY_MUST_USE assay_code assay_runtime_check(const assay_runtime *runtime, assay_error *err);
// Contractions handed to BLAS since the last reset; a batch counts once.
int64_t assay_runtime_blas_calls(const assay_runtime *runtime);

// What the program asked for since the last reset.
typedef struct assay_heap {
  int64_t allocations;
  int64_t bytes; // of all of them
  int64_t live;  // bytes not freed yet
  int64_t peak;  // most bytes at once
} assay_heap;
assay_heap assay_runtime_heap(const assay_runtime *runtime);

// How compiled code names an entry of this runtime. Those with `bound` take the runtime as their
// first parameter, which the compiler adds: code calls them without it.
typedef struct assay_runtime_entry {
  const char *called; // the name in compiled code, "_mlir_memref_to_llvm_alloc"
  const char *symbol; // the name it links to, "assay_runtime_alloc"
  void (*address)(void);
  bool bound;
  bool allocates; // its result is fresh memory
} assay_runtime_entry;

// All of them; the array ends with a NULL name.
const assay_runtime_entry *assay_runtime_entries(void);

#ifdef __cplusplus
}
#endif

#endif
