// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/nvidia.h"

#include "gpu/driver/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

assay_code assay_nvidia_open_device(const assay_context *context, const assay_gpu_kind *kind,
                                    bool with_library, assay_device **out_device,
                                    assay_error *err) {
  assay_driver_facts facts;
  char hardware[ASSAY_GPU_HARDWARE];
  TRY(assay_driver_probe(with_library, &facts, err));
  TRY(assay_gpu_open(context, kind, out_device, err));
  snprintf(hardware, sizeof hardware, "%s (compute capability %d.%d), CUDA %d.%d", facts.device,
           facts.architecture / 10, facts.architecture % 10, facts.driver / 1000,
           facts.driver % 1000 / 10);
  assay_gpu_set_hardware(*out_device, hardware);
  return ASSAY_OK;
}

assay_code assay_nvidia_assemble(MlirOperation gpu_module, void **out_bytes, size_t *out_size,
                                 assay_error *err) {
  assay_arena *arena = assay_arena_create();
  const char *ptx;
  assay_code code = assay_ptx_make(arena, gpu_module, &ptx, err);
  if (code == ASSAY_OK) {
    *out_size = strlen(ptx) + 1;
    *out_bytes = strdup(ptx);
    if (*out_bytes == NULL)
      abort();
  }
  assay_arena_destroy(arena);
  return code;
}

assay_gpu_extent assay_nvidia_extent(const assay_gpu *gpu) {
  const assay_driver_facts *facts = assay_driver_facts_get(gpu);
  return (assay_gpu_extent){.multiprocessors = facts->multiprocessors,
                            .memory_free = facts->memory_free};
}

assay_code assay_nvidia_open(assay_gpu **out_gpu, assay_error *err) {
  return assay_driver_open(false, out_gpu, err);
}

assay_code assay_nvidia_open_with_library(assay_gpu **out_gpu, assay_error *err) {
  return assay_driver_open(true, out_gpu, err);
}
