// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assay_gpu for tests: device memory is the host's, a kernel is a number, and a launch writes
// that number to what its first parameter points to.
#ifndef ASSAY_GPU_RUNTIME_FAKE_TESTING_H
#define ASSAY_GPU_RUNTIME_FAKE_TESTING_H

#include "gpu/runtime/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assay_gpu_module {
  int loaded;
};

struct assay_gpu_function {
  char name[32];
};

typedef struct fake_gpu {
  assay_gpu gpu;
  int calls, fail_at; // the number of the call that fails, from 1; 0: none
  int live, finds;    // allocations that are not released; look-ups of functions
  assay_gpu_module module;
  assay_gpu_function function;
  assay_gpu_launch last;
  assay_gpu_gemm gemm;
} fake_gpu;

static inline assay_code fake_step(assay_gpu *gpu, const char *name, assay_error *err) {
  fake_gpu *fake = (fake_gpu *)gpu;
  if (++fake->calls == fake->fail_at)
    return assay_fail(err, ASSAY_FAILED, "%s: planted", name);
  return ASSAY_OK;
}

static inline void *fake_host(assay_gpu_address address) {
  return (void *)(uintptr_t)address; // NOLINT(performance-no-int-to-ptr)
}

static inline assay_code fake_load(assay_gpu *gpu, const void *bytes, size_t size,
                                   assay_gpu_module **out_module, assay_error *err) {
  fake_gpu *fake = (fake_gpu *)gpu;
  TRY(fake_step(gpu, "load", err));
  if (size != 5 || memcmp(bytes, "code", 5) != 0)
    return assay_fail(err, ASSAY_FAILED, "load: not the code");
  fake->module.loaded++;
  *out_module = &fake->module;
  return ASSAY_OK;
}

static inline void fake_unload(assay_gpu_module *module) {
  if (module != NULL)
    module->loaded--;
}

static inline assay_code fake_find(assay_gpu_module *module, const char *name,
                                   assay_gpu_function **out_function, assay_error *err) {
  fake_gpu *fake = (fake_gpu *)((char *)module - offsetof(fake_gpu, module));
  fake->finds++;
  if (strncmp(name, "kernel", 6) != 0)
    return assay_fail(err, ASSAY_FAILED, "find: no kernel '%s'", name);
  snprintf(fake->function.name, sizeof fake->function.name, "%s", name);
  *out_function = &fake->function;
  return ASSAY_OK;
}

static inline assay_code fake_alloc(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                                    assay_error *err) {
  TRY(fake_step(gpu, "alloc", err));
  void *memory = calloc(1, (size_t)bytes + 1);
  if (memory == NULL)
    abort();
  ((fake_gpu *)gpu)->live++;
  *out_address = (assay_gpu_address)(uintptr_t)memory;
  return ASSAY_OK;
}

static inline assay_code fake_release(assay_gpu *gpu, assay_gpu_address address, assay_error *err) {
  free(fake_host(address));
  ((fake_gpu *)gpu)->live--;
  return fake_step(gpu, "release", err);
}

static inline assay_code fake_upload(assay_gpu *gpu, assay_gpu_address target, const void *source,
                                     int64_t bytes, assay_error *err) {
  TRY(fake_step(gpu, "upload", err));
  memcpy(fake_host(target), source, (size_t)bytes);
  return ASSAY_OK;
}

static inline assay_code fake_download(assay_gpu *gpu, void *target, assay_gpu_address source,
                                       int64_t bytes, assay_error *err) {
  TRY(fake_step(gpu, "download", err));
  memcpy(target, fake_host(source), (size_t)bytes);
  return ASSAY_OK;
}

static inline assay_code fake_copy(assay_gpu *gpu, assay_gpu_address target,
                                   assay_gpu_address source, int64_t bytes, assay_error *err) {
  TRY(fake_step(gpu, "copy", err));
  memmove(fake_host(target), fake_host(source), (size_t)bytes);
  return ASSAY_OK;
}

static inline assay_code fake_fill(assay_gpu *gpu, assay_gpu_address target, uint32_t value,
                                   int width, int64_t count, assay_error *err) {
  TRY(fake_step(gpu, "fill", err));
  for (int64_t i = 0; i < count; i++)
    memcpy((char *)fake_host(target) + i * width, &value, (size_t)width);
  return ASSAY_OK;
}

static inline assay_code fake_launch(assay_gpu *gpu, const assay_gpu_launch *launch,
                                     assay_error *err) {
  TRY(fake_step(gpu, "launch", err));
  ((fake_gpu *)gpu)->last = *launch;
  if (launch->parameter_count > 0) {
    int *target = *(int **)launch->parameters[0];
    *target = (int)strtol(launch->function->name + 6, NULL, 10);
  }
  return ASSAY_OK;
}

static inline assay_code fake_gemm(assay_gpu *gpu, const assay_gpu_gemm *gemm, assay_error *err) {
  TRY(fake_step(gpu, "gemm", err));
  ((fake_gpu *)gpu)->gemm = *gemm;
  return ASSAY_OK;
}

static inline assay_code fake_synchronize(assay_gpu *gpu, assay_error *err) {
  return fake_step(gpu, "synchronize", err);
}

static inline fake_gpu fake_gpu_make(void) {
  static const assay_gpu_methods methods = {
      .load = fake_load,
      .unload = fake_unload,
      .find = fake_find,
      .alloc = fake_alloc,
      .release = fake_release,
      .upload = fake_upload,
      .download = fake_download,
      .copy = fake_copy,
      .fill = fake_fill,
      .launch = fake_launch,
      .gemm = fake_gemm,
      .synchronize = fake_synchronize,
  };
  return (fake_gpu){.gpu.methods = &methods};
}

#endif
