// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device reaches, by kernels that go the way of all others.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_PEAKS_H
#define ASSAY_GPU_BACKENDS_SUPPORT_PEAKS_H

#include "gpu/backends/support/kind.h"

// The code of the kernels (gpu/kernels/peaks.h): malloc'ed bytes, the caller's.
ASSAY_MUST_USE assay_code assay_gpu_peaks_compile(const assay_context *context,
                                                  const assay_gpu_kind *kind, void **out_bytes,
                                                  size_t *out_size, assay_error *err);

// Loads them and measures by the device's clock, the best of several tries of each: well below a
// second of its time. At most an eighth of the memory that is free is taken, and given back;
// where that is too little to be beyond any cache, gbs is 0. ASSAY_UNSUPPORTED where the device has
// no clock; ASSAY_FAILED where that measures nothing.
ASSAY_MUST_USE assay_code assay_gpu_peaks_measure(assay_gpu *gpu, const void *code, size_t size,
                                                  const assay_gpu_extent *extent,
                                                  assay_peaks *out_peaks, assay_error *err);

#endif
