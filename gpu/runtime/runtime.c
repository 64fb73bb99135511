// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/runtime/calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

assay_gpu_runtime *assay_gpu_runtime_create(assay_gpu *gpu, bool guarded) {
  assay_gpu_runtime *runtime = calloc(1, sizeof *runtime);
  if (runtime == NULL)
    abort();
  runtime->gpu = gpu;
  runtime->guarded = guarded;
  return runtime;
}

void assay_gpu_runtime_destroy(assay_gpu_runtime *runtime) {
  if (runtime == NULL)
    return;
  assay_gpu_runtime_forget_functions(runtime);
  assay_gpu_runtime_release(runtime);
  free(runtime);
}

void assay_gpu_runtime_reset(assay_gpu_runtime *runtime) {
  runtime->counts = (assay_gpu_counts){0};
  runtime->code = ASSAY_OK;
  runtime->fault[0] = '\0';
  assay_gpu_runtime_forget(runtime);
}

bool assay_gpu_runtime_note(assay_gpu_runtime *runtime, assay_code code, const assay_error *err) {
  if (runtime->code == ASSAY_OK && code != ASSAY_OK) {
    runtime->code = code;
    runtime->err = *err;
  }
  return code == ASSAY_OK;
}

void assay_gpu_runtime_fault(assay_gpu_runtime *runtime, const char *format, ...) {
  if (runtime->fault[0] != '\0')
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(runtime->fault, sizeof runtime->fault, format, arguments);
  va_end(arguments);
}

assay_code assay_gpu_runtime_check(assay_gpu_runtime *runtime, assay_error *err) {
  assay_gpu *gpu = runtime->gpu;
  assay_error why;
  assay_gpu_runtime_note(runtime, gpu->methods->synchronize(gpu, &why), &why);
  if (runtime->code == ASSAY_OK)
    assay_gpu_runtime_note(runtime, assay_gpu_runtime_check_memory(runtime, &why), &why);
  if (runtime->code != ASSAY_OK)
    return assay_fail(err, runtime->code, "%s", runtime->err.text);
  if (runtime->fault[0] != '\0')
    return assay_fail(err, ASSAY_FAILED, "%s", runtime->fault);
  return ASSAY_OK;
}

assay_gpu_counts assay_gpu_runtime_counts(const assay_gpu_runtime *runtime) {
  return runtime->counts;
}
