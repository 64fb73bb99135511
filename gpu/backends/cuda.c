// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda: kernels of our own on an NVIDIA GPU, through CUDA's driver.
#include "gpu/backends/support/figures.h"
#include "gpu/backends/support/nvidia.h"

static const assay_gpu_kind kind = {
    .pipeline = "gpu",
    .assembly = true,
    .assemble = assay_nvidia_assemble,
    .examine = assay_figures_examine,
    .note = assay_driver_note,
    .extent = assay_nvidia_extent,
    .open = assay_nvidia_open,
};

static assay_code open_device(const assay_context *context, assay_device **out_device,
                              assay_error *err) {
  return assay_nvidia_open_device(context, &kind, false, out_device, err);
}

extern const assay_backend assay_gpu_backend_cuda;
const assay_backend assay_gpu_backend_cuda = {
    .name = "cuda",
    .summary = "kernels of our own on an NVIDIA GPU (needs CUDA's driver, libcuda.so.1)",
    .pipeline = "gpu",
    .resident = true,
    .open = open_device,
    .supports = assay_gpu_supports,
    .load = assay_gpu_load,
    .run = assay_gpu_run,
    .time = assay_gpu_time,
    .unload = assay_gpu_unload,
    .set_loading = assay_gpu_set_loading,
    .hardware = assay_gpu_hardware,
    .measure_peaks = assay_gpu_measure_peaks,
    .close = assay_gpu_close,
};
