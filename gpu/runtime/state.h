// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime from inside.
#ifndef ASSAY_GPU_RUNTIME_STATE_H
#define ASSAY_GPU_RUNTIME_STATE_H

#include "gpu/runtime/runtime.h"

typedef struct assay_gpu_allocation assay_gpu_allocation;
typedef struct assay_gpu_known assay_gpu_known; // a function that was looked up

struct assay_gpu_runtime {
  assay_gpu *gpu;
  bool guarded;
  assay_gpu_counts counts;
  assay_gpu_allocation *live, *idle; // newest first
  assay_gpu_known *functions;
  assay_code code; // of the first failure since the last reset; ASSAY_OK while there is none
  assay_error err;
  char fault[256]; // the program's first fault; "" while there is none
};

// Keeps the first failure of a call: whether there is none yet.
bool assay_gpu_runtime_note(assay_gpu_runtime *runtime, assay_code code, const assay_error *err);
// Keeps the program's first fault.
ASSAY_PRINTF(2, 3)
void assay_gpu_runtime_fault(assay_gpu_runtime *runtime, const char *format, ...);

// Memory for the program; 0 where the device has none, which is noted.
assay_gpu_address assay_gpu_runtime_alloc(assay_gpu_runtime *runtime, int64_t bytes);
void assay_gpu_runtime_free(assay_gpu_runtime *runtime, assay_gpu_address address); // 0 is allowed
// Whether the bytes lie in memory that this runtime handed out.
bool assay_gpu_runtime_owns(const assay_gpu_runtime *runtime, assay_gpu_address address,
                            int64_t bytes);
// ASSAY_FAILED where the program wrote to a fence, or did not free what it asked for.
ASSAY_MUST_USE assay_code assay_gpu_runtime_check_memory(assay_gpu_runtime *runtime,
                                                         assay_error *err);
// Gives back what the program of a run that failed did not free.
void assay_gpu_runtime_forget(assay_gpu_runtime *runtime);
// Gives back all of it.
void assay_gpu_runtime_release(assay_gpu_runtime *runtime);

#endif
