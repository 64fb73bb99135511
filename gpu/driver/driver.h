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
// for the PTX that we make, or no cuBLAS. Opens the first visible device.
ASSAY_MUST_USE assay_code assay_driver_open(bool with_library, assay_gpu **out_gpu,
                                            assay_error *err);
const assay_driver_facts *assay_driver_facts_get(const assay_gpu *gpu);

// Whether assay_driver_open has a chance, without touching the device, so that a process which
// forks can ask: ASSAY_MISSING with the reason as above (libraries, visible devices, version).
ASSAY_MUST_USE assay_code assay_driver_probe(bool with_library, assay_error *err);

#endif
