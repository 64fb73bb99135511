// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublas: contractions by cuBLAS, the rest as kernels of our own.
#include "gpu/backends/support/figures.h"
#include "gpu/backends/support/nvidia.h"

static const assay_gpu_kind kind = {
    .pipeline = "cublas",
    .assembly = true,
    .assemble = assay_nvidia_assemble,
    .examine = assay_figures_examine,
    .note = assay_driver_note,
    .extent = assay_nvidia_extent,
    .open = assay_nvidia_open_with_library,
};

static assay_code open_device(const assay_context *context, assay_device **out_device,
                              assay_error *err) {
  return assay_nvidia_open_device(context, &kind, true, out_device, err);
}

extern const assay_backend assay_gpu_backend_cublas;
const assay_backend assay_gpu_backend_cublas = {
    .name = "cublas",
    .summary = "floating contractions by cuBLAS on an NVIDIA GPU, the rest as kernels of our own "
               "(needs CUDA's driver and libcublas.so)",
    .pipeline = "cublas",
    .takes_contractions = true,
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
