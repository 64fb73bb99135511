// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the backends that run on this processor share: all of it but the pipeline.
#ifndef ASSAY_COMPILER_BACKENDS_SUPPORT_CPU_H
#define ASSAY_COMPILER_BACKENDS_SUPPORT_CPU_H

#include "compiler/backends/backend.h"

// The methods of assay_backend, but for open. A device lowers with the named pipeline;
// ASSAY_INVALID where MLIR does not know one of its passes.
ASSAY_MUST_USE assay_code assay_cpu_open(const assay_context *context, const char *pipeline,
                                         assay_device **out_device, assay_error *err);
assay_code assay_cpu_supports(const assay_device *device, const assay_program *program,
                              assay_error *err);
assay_code assay_cpu_load(assay_device *device, const assay_program *program, assay_object *object,
                          assay_loaded **out_loaded, assay_load_report *out_report,
                          assay_error *err);
assay_code assay_cpu_run(assay_loaded *loaded, const assay_buffer inputs[],
                         const assay_buffer results[], assay_counters *out_counters,
                         assay_error *err);
void assay_cpu_unload(assay_loaded *loaded);
void assay_cpu_close(assay_device *device);

void assay_cpu_set_loading(assay_device *device, assay_loading loading);

#endif
