// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loop: MLIR and LLVM alone.
#include "compiler/backends/support/cpu.h"

static assay_code open_device(const assay_context *context, assay_device **out_device,
                              assay_error *err) {
  return assay_cpu_open(context, "loop", out_device, err);
}

extern const assay_backend assay_backend_loop;
const assay_backend assay_backend_loop = {
    .name = "loop",
    .summary = "loops in (m, k, n) order, vectorised by LLVM for this processor",
    .pipeline = "loop",
    .open = open_device,
    .supports = assay_cpu_supports,
    .load = assay_cpu_load,
    .run = assay_cpu_run,
    .unload = assay_cpu_unload,
    .set_loading = assay_cpu_set_loading,
    .close = assay_cpu_close,
};
