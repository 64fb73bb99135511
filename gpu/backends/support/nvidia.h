// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the backends of NVIDIA's GPUs share: PTX as code, CUDA's driver as device.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_NVIDIA_H
#define ASSAY_GPU_BACKENDS_SUPPORT_NVIDIA_H

#include "gpu/backends/support/kind.h"
#include "gpu/driver/driver.h"

// ASSAY_MISSING with the reason where this machine has not what is needed; initialises nothing in
// this process, which may fork.
ASSAY_MUST_USE assay_code assay_nvidia_open_device(const assay_context *context,
                                                   const assay_gpu_kind *kind, bool with_library,
                                                   assay_device **out_device, assay_error *err);

assay_code assay_nvidia_assemble(MlirOperation gpu_module, void **out_bytes, size_t *out_size,
                                 assay_error *err);
assay_gpu_extent assay_nvidia_extent(const assay_gpu *gpu);
assay_code assay_nvidia_open(assay_gpu **out_gpu, assay_error *err);
assay_code assay_nvidia_open_with_library(assay_gpu **out_gpu, assay_error *err);

#endif
