// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, found at run time. Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_CUBLAS_H
#define ASSAY_GPU_DRIVER_CUBLAS_H

#include "gpu/driver/cuda.h"
#include "gpu/runtime/gpu.h"

typedef struct assay_cublas assay_cublas;

// Whether there is a library, without a device: ASSAY_MISSING names those that were tried.
ASSAY_MUST_USE assay_code assay_cublas_probe(assay_error *err);
// In the current context, on the stream; f32 is computed in f32, not in TF32, but for products
// that allow it. ASSAY_MISSING where there is no library; ASSAY_UNSUPPORTED, with what is free,
// where there is no memory for it. cuda must live as long.
ASSAY_MUST_USE assay_code assay_cublas_open(const assay_cuda_calls *cuda, cuda_stream *stream,
                                            assay_cublas **out_library, assay_error *err);
void assay_cublas_close(assay_cublas *library); // NULL is allowed

// The method gemm. ASSAY_UNSUPPORTED also where memory runs out. *out_lost: the device has not
// survived it.
ASSAY_MUST_USE assay_code assay_cublas_gemm(assay_cublas *library, const assay_gpu_gemm *gemm,
                                            bool *out_lost, assay_error *err);

#endif
