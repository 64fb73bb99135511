// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/figures.h"

#include "compiler/base/clock.h"
#include "compiler/ir/walk.h"
#include "gpu/driver/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int architectures[] = {80, 90, 100, 120};

static bool is_kernel(MlirOperation operation) {
  MlirStringRef mark = mlirStringRefCreateFromCString("nvvm.kernel");
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(operation, mark));
}

static int count_kernels(MlirOperation gpu_module) {
  assay_operations found = assay_operations_collect(gpu_module, is_kernel);
  int count = found.count;
  assay_operations_release(&found);
  return count;
}

// Kernels are named by their kind: "matmul_3".
static bool is_product(const char *name) {
  static const char kind[] = "matmul";
  return strncmp(name, kind, sizeof kind - 1) == 0;
}

static void add_up(const assay_cubin *cubin, int architecture,
                   assay_architecture_figures *out_figures) {
  *out_figures = (assay_architecture_figures){0};
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
    return assay_fail(err, ASSAY_MISSING, "no ptxas: %s", toolkit.lack);
  const char *ptx, *note;
  TRY(assay_ptx_make(arena, gpu_module, &ptx, err));
  enum { COUNT = sizeof architectures / sizeof *architectures };
  assay_code first = ASSAY_OK;
  bool late = false; // it would be so for each
  for (int i = 0; i < COUNT && !late; i++) {
    assay_cubin cubin;
    assay_error why;
    double start = assay_clock_now();
    assay_code code = assay_cubin_make(arena, &toolkit, ptx, architectures[i], &cubin, &note, &why);
    late = code != ASSAY_OK && assay_clock_now() - start >= ASSAY_PTXAS_VERSION_SECONDS;
    if (code == ASSAY_OK && cubin.unknown != NULL)
      code = assay_fail(&why, ASSAY_FAILED, "%s", cubin.unknown);
    if (code != ASSAY_OK) {
      if (first == ASSAY_OK)
        first = assay_fail(err, code, "sm_%d: %s", architectures[i], why.text);
      continue;
    }
    if (note != NULL && out_figures->note[0] == '\0')
      snprintf(out_figures->note, sizeof out_figures->note, "%.255s", note);
    add_up(&cubin, architectures[i], &out_figures->of[out_figures->count++]);
  }
  return first;
}

void assay_figures_examine(MlirOperation gpu_module, assay_device_figures *out_figures) {
  assay_arena *arena = assay_arena_create();
  assay_error err;
  *out_figures = (assay_device_figures){.kernels = count_kernels(gpu_module)};
  if (examine(arena, gpu_module, out_figures, &err) != ASSAY_OK)
    snprintf(out_figures->missing, sizeof out_figures->missing, "%.159s", err.text);
  assay_arena_destroy(arena);
}
