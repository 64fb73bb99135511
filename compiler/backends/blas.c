// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// blas: contractions of f32 and f64 by the CBLAS that this was built with, the rest as loops.
#include "compiler/backends/support/cpu.h"
#include "compiler/runtime/blas.h"

// One thread: cases run side by side, and timings compare kernels.
static assay_code open_device(const assay_context *context, assay_device **out_device,
                              assay_error *err) {
  assay_blas blas;
  TRY(assay_blas_describe(&blas, err));
  assay_blas_set_threads(1);
  return assay_cpu_open(context, "blas", out_device, err);
}

extern const assay_backend assay_backend_blas;
const assay_backend assay_backend_blas = {
    .name = "blas",
    .summary =
        "floating contractions by the CBLAS of this machine, on one thread; the rest as loops",
    .pipeline = "blas",
    .takes_contractions = true,
    .open = open_device,
    .supports = assay_cpu_supports,
    .load = assay_cpu_load,
    .run = assay_cpu_run,
    .unload = assay_cpu_unload,
    .set_loading = assay_cpu_set_loading,
    .close = assay_cpu_close,
};
