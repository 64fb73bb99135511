// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu-sim: the kernels of the CUDA backends on this processor, in several schedules of threads.
#include "gpu/backends/support/simulated.h"

static assay_code open_device(const assay_context *context, assay_device **out_device,
                              assay_error *err) {
  return assay_gpu_open(context, &assay_gpu_simulated, out_device, err);
}

extern const assay_backend assay_gpu_backend_gpu_sim;
const assay_backend assay_gpu_backend_gpu_sim = {
    .name = "gpu-sim",
    .summary = "the kernels of `cuda` on this processor, in four schedules of their threads",
    .pipeline = "gpu",
    .sample = 8,
    .simulated = true,
    .resident = true,
    .open = open_device,
    .supports = assay_gpu_supports,
    .load = assay_gpu_load,
    .run = assay_gpu_run,
    .unload = assay_gpu_unload,
    .set_loading = assay_gpu_set_loading,
    .close = assay_gpu_close,
};
