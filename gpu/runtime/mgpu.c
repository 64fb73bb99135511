// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/runtime/calls.h"

#include <stdlib.h>
#include <string.h>

// Compiled code asks for a kernel by its name at each launch.
struct assay_gpu_known {
  assay_gpu_known *next;
  const assay_gpu_module *module;
  const char *name; // compiled code's: compared by address first
  assay_gpu_function *function;
};

// What stands for a stream or an event, of which only the address is used.
static char token;

static assay_gpu_address address_of(const void *pointer) {
  return (assay_gpu_address)(uintptr_t)pointer;
}

static void *pointer_to(assay_gpu_address address) {
  return (void *)(uintptr_t)address; // NOLINT(performance-no-int-to-ptr): what the ABI passes
}

void *assay_mgpu_module_load(assay_gpu_runtime *runtime, const void *bytes, int64_t size) {
  assay_gpu_module *module = NULL;
  assay_error err;
  if (runtime->code != ASSAY_OK)
    return NULL;
  assay_code code = runtime->gpu->methods->load(runtime->gpu, bytes, (size_t)size, &module, &err);
  return assay_gpu_runtime_note(runtime, code, &err) ? module : NULL;
}

void *assay_mgpu_module_load_jit(assay_gpu_runtime *runtime, const char *ptx, int32_t level) {
  (void)level; // the driver's own default, which is the highest
  return assay_mgpu_module_load(runtime, ptx, (int64_t)strlen(ptx) + 1);
}

void assay_mgpu_module_unload(assay_gpu_runtime *runtime, void *module) {
  assay_gpu_runtime_forget_functions(runtime);
  runtime->gpu->methods->unload(module);
}

void assay_gpu_runtime_forget_functions(assay_gpu_runtime *runtime) {
  while (runtime->functions != NULL) {
    assay_gpu_known *it = runtime->functions;
    runtime->functions = it->next;
    free(it);
  }
}

void *assay_mgpu_module_get_function(assay_gpu_runtime *runtime, void *module, const char *name) {
  if (runtime->code != ASSAY_OK)
    return NULL;
  for (const assay_gpu_known *at = runtime->functions; at != NULL; at = at->next)
    if (at->name == name && at->module == module)
      return at->function;
  assay_gpu_function *function;
  assay_error err;
  assay_code code = runtime->gpu->methods->find(module, name, &function, &err);
  if (!assay_gpu_runtime_note(runtime, code, &err))
    return NULL;
  assay_gpu_known *it = malloc(sizeof *it);
  if (it == NULL)
    abort();
  *it = (assay_gpu_known){runtime->functions, module, name, function};
  runtime->functions = it;
  return function;
}

void assay_mgpu_launch_kernel(assay_gpu_runtime *runtime, void *function, int64_t grid_x,
                              int64_t grid_y, int64_t grid_z, int64_t block_x, int64_t block_y,
                              int64_t block_z, int32_t shared, void *stream, void **parameters,
                              void **extra, int64_t parameter_count) {
  (void)stream;
  (void)extra;
  if (runtime->code != ASSAY_OK)
    return;
  assay_gpu_launch launch = {
      .function = function,
      .grid = {grid_x, grid_y, grid_z},
      .block = {block_x, block_y, block_z},
      .shared = shared,
      .parameters = parameters,
      .parameter_count = (size_t)parameter_count,
  };
  assay_error err;
  assay_code code = runtime->gpu->methods->launch(runtime->gpu, &launch, &err);
  if (assay_gpu_runtime_note(runtime, code, &err))
    runtime->counts.launches++;
}

void *assay_mgpu_stream_create(assay_gpu_runtime *runtime) {
  (void)runtime;
  return &token;
}

void assay_mgpu_stream_destroy(assay_gpu_runtime *runtime, void *stream) {
  (void)runtime;
  (void)stream;
}

void assay_mgpu_stream_synchronize(assay_gpu_runtime *runtime, void *stream) {
  (void)runtime;
  (void)stream;
}

void assay_mgpu_stream_wait_event(assay_gpu_runtime *runtime, void *stream, void *event) {
  (void)runtime;
  (void)stream;
  (void)event;
}

void *assay_mgpu_event_create(assay_gpu_runtime *runtime) {
  (void)runtime;
  return &token;
}

void assay_mgpu_event_destroy(assay_gpu_runtime *runtime, void *event) {
  (void)runtime;
  (void)event;
}

void assay_mgpu_event_synchronize(assay_gpu_runtime *runtime, void *event) {
  (void)runtime;
  (void)event;
}

void assay_mgpu_event_record(assay_gpu_runtime *runtime, void *event, void *stream) {
  (void)runtime;
  (void)event;
  (void)stream;
}

// Memory that host and device share would let buffers travel unseen: it is device memory here, and
// host code that touches it is found.
void *assay_mgpu_mem_alloc(assay_gpu_runtime *runtime, int64_t bytes, void *stream, int8_t shared) {
  (void)stream;
  runtime->counts.travels += shared != 0;
  return pointer_to(assay_gpu_runtime_alloc(runtime, bytes));
}

void assay_mgpu_mem_free(assay_gpu_runtime *runtime, void *address, void *stream) {
  (void)stream;
  assay_gpu_runtime_free(runtime, address_of(address));
}

void assay_mgpu_memcpy(assay_gpu_runtime *runtime, void *target, void *source, int64_t bytes,
                       void *stream) {
  (void)stream;
  if (runtime->code != ASSAY_OK)
    return;
  const assay_gpu_methods *methods = runtime->gpu->methods;
  assay_gpu_address to = address_of(target), from = address_of(source);
  bool to_device = assay_gpu_runtime_owns(runtime, to, bytes);
  bool from_device = assay_gpu_runtime_owns(runtime, from, bytes);
  runtime->counts.travels += to_device != from_device;
  assay_error err;
  assay_code code = ASSAY_OK;
  if (to_device && from_device)
    code = methods->copy(runtime->gpu, to, from, bytes, &err);
  else if (to_device)
    code = methods->upload(runtime->gpu, to, source, bytes, &err);
  else if (from_device)
    code = methods->download(runtime->gpu, target, from, bytes, &err);
  else
    memcpy(target, source, (size_t)bytes);
  assay_gpu_runtime_note(runtime, code, &err);
}

static void set(assay_gpu_runtime *runtime, void *target, uint32_t value, int width,
                int64_t count) {
  if (runtime->code != ASSAY_OK)
    return;
  assay_error err;
  assay_code code =
      runtime->gpu->methods->fill(runtime->gpu, address_of(target), value, width, count, &err);
  assay_gpu_runtime_note(runtime, code, &err);
}

void assay_mgpu_memset32(assay_gpu_runtime *runtime, void *target, int32_t value, int64_t count,
                         void *stream) {
  (void)stream;
  set(runtime, target, (uint32_t)value, 4, count);
}

void assay_mgpu_memset16(assay_gpu_runtime *runtime, void *target, int16_t value, int64_t count,
                         void *stream) {
  (void)stream;
  set(runtime, target, (uint16_t)value, 2, count);
}

void *assay_mgpu_memref_alloc(assay_gpu_runtime *runtime, int64_t bytes) {
  return assay_mgpu_mem_alloc(runtime, bytes, NULL, 0);
}

void assay_mgpu_memref_free(assay_gpu_runtime *runtime, void *address) {
  assay_mgpu_mem_free(runtime, address, NULL);
}
