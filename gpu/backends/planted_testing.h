// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: the pipeline `gpu` with something planted between kernels and what they are lowered
// to. Includes cmocka.
#ifndef ASSAY_GPU_BACKENDS_PLANTED_TESTING_H
#define ASSAY_GPU_BACKENDS_PLANTED_TESTING_H

#include "compiler/lower/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The passes stand where kernels are of loops and memrefs.
static inline assay_pipeline planted_pipeline(const char *passes) {
  const assay_pipeline *gpu = assay_pipeline_find("gpu");
  assert_true(gpu->stage_count < ASSAY_MAX_STAGES);
  assay_pipeline pipeline = *gpu;
  pipeline.stage_count = 0;
  for (int i = 0; i < gpu->stage_count; i++) {
    if (strcmp(gpu->stage[i].name, "nvvm") == 0) {
      pipeline.stage[pipeline.stage_count].name = "planted";
      pipeline.stage[pipeline.stage_count++].passes = passes;
    }
    pipeline.stage[pipeline.stage_count++] = gpu->stage[i];
  }
  return pipeline;
}

#endif
