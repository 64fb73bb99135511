// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's driver as an assay_gpu, and cuBLAS on top of it. Nothing of CUDA is linked: libcuda.so.1
// and libcublas.so are found at run time.
#ifndef ASSAY_GPU_DRIVER_DRIVER_H
#define ASSAY_GPU_DRIVER_DRIVER_H

#include "gpu/runtime/gpu.h"

// What was found, for doctor and the record.
typedef struct assay_driver_facts {
  char device[256];     // "NVIDIA H200"
  int driver;           // 13000: CUDA 13.0
  int architecture;     // 90: compute capability 9.0
  int64_t memory_total; // bytes
  int64_t memory_free;  // bytes, when it was opened
  int multiprocessors;
} assay_driver_facts;

// with_library: cuBLAS too, as the method gemm. ASSAY_MISSING with the reason where there is no
// libcuda.so.1, no device (CUDA_VISIBLE_DEVICES is named where it hides them all), a driver too old
// for the PTX that we make, or no cuBLAS; ASSAY_UNSUPPORTED where memory ran out. Opens the first
// visible device.
ASSAY_MUST_USE assay_code assay_driver_open(bool with_library, assay_gpu **out_gpu,
                                            assay_error *err);
const assay_driver_facts *assay_driver_facts_get(const assay_gpu *gpu);
// What there is to say of the last load besides: that a file of the cache was made anew, that it
// could not be written, or why ptxas' code was not used. NULL for nothing; valid until the next
// load.
const char *assay_driver_note(const assay_gpu *gpu);

// Whether assay_driver_open works, asked in a child, so that a process which forks can ask and a
// driver that crashes or hangs is a reason: ASSAY_MISSING with it, or with that of
// assay_driver_open. out_facts: (optional) those of the device. The driver must not have been
// opened by this process.
ASSAY_MUST_USE assay_code assay_driver_probe(bool with_library, assay_driver_facts *out_facts,
                                             assay_error *err);

#endif
