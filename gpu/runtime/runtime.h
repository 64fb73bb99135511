// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's GPU runtime ABI (mgpu*), our own library: what the host code of a program calls, on any
// assay_gpu. Each loaded program has a runtime of its own, which its calls are bound to.
//
// Compiled code checks nothing: the first call that fails is kept, later ones do nothing, and
// assay_gpu_runtime_check tells it after the run.
#ifndef ASSAY_GPU_RUNTIME_RUNTIME_H
#define ASSAY_GPU_RUNTIME_RUNTIME_H

#include "compiler/runtime/runtime.h"
#include "gpu/runtime/gpu.h"

typedef struct assay_gpu_runtime assay_gpu_runtime;

// The gpu stays the caller's, and must outlive the runtime. guarded: memory that the program asks
// for is poisoned, and fenced where the gpu does not watch accesses itself; otherwise what was
// freed is kept and given out again.
assay_gpu_runtime *assay_gpu_runtime_create(assay_gpu *gpu, bool guarded);
void assay_gpu_runtime_destroy(assay_gpu_runtime *runtime); // NULL is allowed

// Device memory for the caller, an argument of the program: guarded as the program's own, but not
// counted, and the runtime's until it is destroyed. ASSAY_UNSUPPORTED where the device has no more.
ASSAY_MUST_USE assay_code assay_gpu_runtime_take(assay_gpu_runtime *runtime, int64_t bytes,
                                                 assay_gpu_address *out_address, assay_error *err);

// Before a run: forgets the last run's counts and fault.
void assay_gpu_runtime_reset(assay_gpu_runtime *runtime);
// After a run: waits for the device. The first failure of a call with its code, else ASSAY_FAILED
// with the first fault of the program (as assay_runtime_check), else ASSAY_OK.
ASSAY_MUST_USE assay_code assay_gpu_runtime_check(assay_gpu_runtime *runtime, assay_error *err);

// What the program did since the last reset.
typedef struct assay_gpu_counts {
  int64_t launches;      // of kernels, the library's products not among them
  int64_t library_calls; // matrix products handed to the library; a batch counts once
  int64_t travels;       // buffers that the program itself moved between host and device
  assay_heap heap;       // device memory that the program asked for
} assay_gpu_counts;
assay_gpu_counts assay_gpu_runtime_counts(const assay_gpu_runtime *runtime);

// The entries that compiled code calls, for linking; all are bound. Ends with a NULL name.
const assay_runtime_entry *assay_gpu_runtime_entries(void);

#endif
