// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/figures.h"

#include "gpu/driver/ptx.h"

#include <stdio.h>
#include <string.h>

static const int architectures[] = {80, 90, 100, 120};

// Kernels are named by their kind: "matmul_3".
static bool is_product(const char *name) {
  static const char kind[] = "matmul";
  return strncmp(name, kind, sizeof kind - 1) == 0;
}

static void add_up(const assay_cubin *cubin, int architecture,
                   assay_architecture_figures *out_figures) {
  *out_figures = (assay_architecture_figures){.kernels = (int)cubin->kernel_count};
  snprintf(out_figures->architecture, sizeof out_figures->architecture, "sm_%d", architecture);
  for (size_t i = 0; i < cubin->kernel_count; i++) {
    const assay_kernel_figures *kernel = &cubin->kernels[i];
    int64_t spills = kernel->spill_stores + kernel->spill_loads;
    if (kernel->registers > out_figures->registers)
      out_figures->registers = kernel->registers;
    if (kernel->shared > out_figures->shared)
      out_figures->shared = kernel->shared;
    out_figures->spills += spills;
    out_figures->own_spills += is_product(kernel->name) ? spills : 0;
  }
}

static assay_code examine(assay_arena *arena, MlirOperation gpu_module,
                          assay_device_figures *out_figures, assay_error *err) {
  assay_toolkit toolkit = assay_toolkit_find(arena);
  if (toolkit.ptxas == NULL)
    return assay_fail(err, ASSAY_MISSING,
                      "no ptxas on PATH, below CUDA_HOME or in the toolkit's packages");
  const char *ptx, *note;
  TRY(assay_ptx_make(arena, gpu_module, &ptx, err));
  enum { COUNT = sizeof architectures / sizeof *architectures };
  for (int i = 0; i < COUNT; i++) {
    assay_cubin cubin;
    TRY(assay_cubin_make(arena, &toolkit, ptx, architectures[i], &cubin, &note, err));
    if (note != NULL && out_figures->note[0] == '\0')
      snprintf(out_figures->note, sizeof out_figures->note, "%.255s", note);
    add_up(&cubin, architectures[i], &out_figures->of[out_figures->count++]);
  }
  return ASSAY_OK;
}

void assay_figures_examine(MlirOperation gpu_module, assay_device_figures *out_figures) {
  assay_arena *arena = assay_arena_create();
  assay_error err;
  *out_figures = (assay_device_figures){.count = 0};
  if (examine(arena, gpu_module, out_figures, &err) != ASSAY_OK) {
    *out_figures = (assay_device_figures){.count = 0};
    snprintf(out_figures->missing, sizeof out_figures->missing, "%.159s", err.text);
  }
  assay_arena_destroy(arena);
}
