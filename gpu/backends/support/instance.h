// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled program on a device: its host code linked, its kernels loaded, memory for its
// arguments taken.
#ifndef ASSAY_GPU_BACKENDS_SUPPORT_INSTANCE_H
#define ASSAY_GPU_BACKENDS_SUPPORT_INSTANCE_H

#include "gpu/backends/support/kind.h"

typedef struct assay_gpu_instance assay_gpu_instance;

// The bytes are copied. The gpu must live as long. ASSAY_UNSUPPORTED where its memory is too small
// for the arguments.
ASSAY_MUST_USE assay_code assay_gpu_instance_create(const assay_gpu_kind *kind, assay_gpu *gpu,
                                                    const assay_program *program,
                                                    const assay_object *object, bool guarded,
                                                    assay_gpu_instance **out_instance,
                                                    assay_error *err);
void assay_gpu_instance_destroy(assay_gpu_instance *it); // NULL is allowed

// Inputs up, the program, results down. ASSAY_FAILED where the program changed an input (guarded).
ASSAY_MUST_USE assay_code assay_gpu_instance_run(assay_gpu_instance *instance,
                                                 const assay_buffer inputs[],
                                                 const assay_buffer results[],
                                                 assay_counters *out_counters, assay_error *err);

// So many runs on the inputs of the last one; the seconds of one by the device's events.
// ASSAY_UNSUPPORTED where the device has none.
ASSAY_MUST_USE assay_code assay_gpu_instance_time(assay_gpu_instance *instance, int64_t runs,
                                                  double *out_seconds, assay_error *err);

#endif
