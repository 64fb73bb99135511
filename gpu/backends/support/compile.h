// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program -> one object: host code, with the code of its kernels inside.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_COMPILE_H
#define ASSAY_GPU_BACKENDS_SUPPORT_COMPILE_H

#include "compiler/lower/object.h"
#include "compiler/lower/pipeline.h"
#include "gpu/backends/support/kind.h"

typedef struct assay_gpu_compiler {
  const assay_context *context;
  const assay_pipeline *pipeline;
  const assay_gpu_kind *kind;
  assay_target *target; // of the host
} assay_gpu_compiler;

// Emits, lowers and compiles. What stage nvvm ends with is printed and read back before code is
// made of it, so that lines which the simulator and the driver name are those of
// `assay show CASE --stage nvvm`. watched: the report gets the costs of the parts.
ASSAY_MUST_USE assay_code assay_gpu_compile(const assay_gpu_compiler *compiler, bool watched,
                                            const assay_program *program, assay_object *object,
                                            assay_load_report *report, assay_error *err);

#endif
