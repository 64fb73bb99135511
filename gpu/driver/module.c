// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on the device: PTX by ptxas where there is one, else by the driver's own compiler.
#include "gpu/driver/cubin.h"
#include "gpu/driver/device.h"
#include "gpu/driver/ptx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATIC_SHARED = 48 * 1024 }; // bytes of shared memory that a kernel has without asking

struct assay_gpu_function {
  cuda_function *handle;
  int64_t shared; // bytes of dynamic shared memory that it may have
  assay_gpu_function *next;
  assay_gpu_module *module;
  char name[]; // '\0'-terminated
};

struct assay_gpu_module {
  assay_device *device;
  cuda_module *handle;
  assay_gpu_function *functions;
  assay_gpu_module *next;
};

// What the driver's compiler says.
typedef struct jit_log {
  char errors[4096], remarks[4096];
} jit_log;

static cuda_result load_image(assay_device *device, const void *image, jit_log *log,
                              cuda_module **out_handle) {
  int options[] = {CUDA_JIT_INFO_LOG, CUDA_JIT_INFO_LOG_BYTES, CUDA_JIT_ERROR_LOG,
                   CUDA_JIT_ERROR_LOG_BYTES};
  void *values[] = {log->remarks, (void *)(uintptr_t)sizeof log->remarks, log->errors,
                    (void *)(uintptr_t)sizeof log->errors};
  memset(log, 0, sizeof *log);
  cuda_result result = device->cuda.module_load(out_handle, image, 4, options, values);
  log->errors[sizeof log->errors - 1] = log->remarks[sizeof log->remarks - 1] = '\0';
  return result;
}

// The first lines of a log in one, "" where it has none.
static const char *first_lines(char *log) {
  enum { LINES = 3, LONGEST = 600 };
  char *start = log + strspn(log, " \n"), *end = start;
  for (int line = 0; line < LINES && *end != '\0' && end - start < LONGEST; line++) {
    end += strcspn(end, "\n");
    if (*end == '\n')
      *end++ = ' ';
  }
  if (end - start > LONGEST)
    end = start + LONGEST;
  *end = '\0';
  assay_words_clean(start);
  return start;
}

// "7.0": what follows .version in PTX; "" in anything else.
typedef struct isa_version {
  char text[16];
} isa_version;

static isa_version isa_of(const char *ptx) {
  isa_version isa = {""};
  const char *at = strstr(ptx, ".version");
  if (at != NULL) {
    at += strlen(".version");
    at += strspn(at, " \t");
    snprintf(isa.text, sizeof isa.text, "%.*s", (int)strspn(at, "0123456789."), at);
  }
  return isa;
}

static assay_code judge_load(assay_device *device, cuda_result result, jit_log *log,
                             const char *ptx, assay_error *err) {
  assay_code code = assay_device_judge(device, result, assay_cuda_name.module_load, err);
  if (code == ASSAY_OK || device->lost)
    return code;
  const char *said = first_lines(log->errors[0] != '\0' ? log->errors : log->remarks);
  assay_error plain = *err;
  const char *colon = said[0] != '\0' ? ": " : "";
  int version = device->facts.driver;
  if (result == CUDA_UNSUPPORTED_PTX_VERSION && ptx != NULL)
    return assay_fail(
        err, ASSAY_UNSUPPORTED, "driver (CUDA %d.%d) is older than the PTX (ISA %s): %.300s%s%s",
        version / 1000, version % 1000 / 10, isa_of(ptx).text, plain.text, colon, said);
  return assay_fail(err, code, "%.300s%s%s", plain.text, colon, said);
}

__attribute__((format(printf, 2, 3))) static void note(assay_device *device, const char *format,
                                                       ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(device->note, sizeof device->note, format, arguments);
  va_end(arguments);
}

// Whether the code is not for this device, which a new one may mend.
static bool is_foreign(cuda_result result) {
  return result == CUDA_NO_BINARY_FOR_GPU || result == CUDA_INVALID_IMAGE;
}

static assay_code make_cubin(assay_device *device, assay_arena *arena, const char *ptx,
                             assay_cubin *out_cubin, assay_error *err) {
  assay_toolkit toolkit = assay_toolkit_find(arena);
  const char *said = NULL;
  TRY(assay_cubin_make(arena, &toolkit, ptx, device->facts.architecture, out_cubin, &said, err));
  if (said != NULL)
    note(device, "%s", said);
  return ASSAY_OK;
}

// By ptxas. *out_handle stays NULL where that does not work and the driver's compiler may; the note
// says why.
static assay_code load_cubin(assay_device *device, assay_arena *arena, const char *ptx,
                             cuda_module **out_handle, assay_error *err) {
  assay_cubin cubin = {.bytes = NULL};
  assay_error why;
  assay_code code = make_cubin(device, arena, ptx, &cubin, &why);
  if (code == ASSAY_MISSING)
    return ASSAY_OK;
  if (code != ASSAY_OK) {
    note(device, "the driver compiles the PTX, since ptxas cannot: %.600s", why.text);
    return ASSAY_OK;
  }
  jit_log log;
  cuda_result result = load_image(device, cubin.bytes, &log, out_handle);
  if (is_foreign(result) && cubin.cached) {
    note(device, "%s is not code for sm_%d; it was made anew", cubin.file,
         device->facts.architecture);
    assay_cubin_forget(&cubin);
    if (make_cubin(device, arena, ptx, &cubin, &why) == ASSAY_OK)
      result = load_image(device, cubin.bytes, &log, out_handle);
  }
  if (result == CUDA_SUCCESS)
    return ASSAY_OK;
  *out_handle = NULL;
  TRY(assay_cuda_is_sticky(result) || result == CUDA_OUT_OF_MEMORY
          ? judge_load(device, result, &log, NULL, err)
          : ASSAY_OK);
  note(device, "the driver compiles the PTX, since it does not take ptxas' code: %s",
       assay_cuda_describe(&device->cuda, result).text);
  return ASSAY_OK;
}

// PTX is text; all else has a magic number in front.
static bool is_text(const char *bytes, size_t size) {
  size_t blanks = strspn(bytes, " \t\r\n");
  return blanks < size && (bytes[blanks] == '/' || bytes[blanks] == '.') &&
         strlen(bytes) + 1 >= size;
}

static assay_code load(assay_device *device, const char *bytes, size_t size,
                       cuda_module **out_handle, assay_error *err) {
  bool text = is_text(bytes, size);
  if (text) {
    assay_arena *arena = assay_arena_create();
    assay_code code = load_cubin(device, arena, bytes, out_handle, err);
    assay_arena_destroy(arena);
    if (code != ASSAY_OK || *out_handle != NULL)
      return code;
  }
  jit_log log;
  cuda_result result = load_image(device, bytes, &log, out_handle);
  return judge_load(device, result, &log, text ? bytes : NULL, err);
}

assay_code assay_device_load(assay_gpu *gpu, const void *bytes, size_t size,
                             assay_gpu_module **out_module, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  device->note[0] = '\0';
  char *ended = malloc(size + 1); // text must end
  assay_gpu_module *module = calloc(1, sizeof *module);
  if (ended == NULL || module == NULL)
    abort();
  memcpy(ended, bytes, size);
  ended[size] = '\0';
  assay_code code = load(device, ended, size, &module->handle, err);
  free(ended);
  if (code != ASSAY_OK) {
    free(module);
    return code;
  }
  module->device = device;
  module->next = device->modules;
  device->modules = module;
  *out_module = module;
  return ASSAY_OK;
}

void assay_device_unload(assay_gpu_module *module) {
  if (module == NULL)
    return;
  assay_device *device = module->device;
  assay_gpu_module **at = &device->modules;
  while (*at != module)
    at = &(*at)->next;
  *at = module->next;
  // There is nobody to tell; but what the device does not survive is kept for the next call.
  assay_error ignored;
  (void)!CUDA_CALL(device, context_set, (device->context), &ignored);
  (void)!CUDA_CALL(device, stream_synchronize, (device->stream),
                   &ignored); // a kernel may be at work
  (void)!CUDA_CALL(device, module_unload, (module->handle), &ignored);
  while (module->functions != NULL) {
    assay_gpu_function *function = module->functions;
    module->functions = function->next;
    free(function);
  }
  free(module);
}

assay_code assay_device_find(assay_gpu_module *module, const char *name,
                             assay_gpu_function **out_function, assay_error *err) {
  assay_device *device = module->device;
  TRY(assay_device_enter(device, err));
  for (assay_gpu_function *at = module->functions; at != NULL; at = at->next)
    if (strcmp(at->name, name) == 0) {
      *out_function = at;
      return ASSAY_OK;
    }
  cuda_function *handle = NULL;
  cuda_result result = device->cuda.module_function(&handle, module->handle, name);
  assay_code code = assay_device_judge(device, result, assay_cuda_name.module_function, err);
  if (result == CUDA_NOT_FOUND)
    return assay_fail(err, ASSAY_MISSING, "the loaded code has no kernel '%s'", name);
  TRY(code);
  assay_gpu_function *function = malloc(sizeof *function + strlen(name) + 1);
  if (function == NULL)
    abort();
  *function = (assay_gpu_function){
      .handle = handle, .shared = STATIC_SHARED, .next = module->functions, .module = module};
  memcpy(function->name, name, strlen(name) + 1);
  module->functions = function;
  *out_function = function;
  return ASSAY_OK;
}

// The driver takes 32 bits: what does not fit must not be cut. Its own limits it tells itself.
static assay_code check_sizes(const assay_gpu_launch *launch, assay_error *err) {
  const int64_t sizes[] = {launch->grid[0],  launch->grid[1],  launch->grid[2], launch->block[0],
                           launch->block[1], launch->block[2], launch->shared};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (sizes[i] < 0 || sizes[i] > INT32_MAX)
      return assay_fail(err, ASSAY_FAILED, "launch of %s: %lld %s, expected 0 to 2147483647",
                        launch->function->name, (long long)sizes[i],
                        i < 3   ? "blocks"
                        : i < 6 ? "threads"
                                : "bytes of shared memory");
  return ASSAY_OK;
}

// The launch's parameters and a NULL after them. The driver knows how many a kernel has; a fake
// one, which runs what others compiled, sees it by that.
static void **ended_parameters(assay_device *device, const assay_gpu_launch *launch) {
  size_t needed = launch->parameter_count + 1;
  if (needed > device->parameter_capacity) {
    void **grown = realloc(device->parameters, needed * sizeof *grown);
    if (grown == NULL)
      abort();
    device->parameters = grown;
    device->parameter_capacity = needed;
  }
  for (size_t i = 0; i < launch->parameter_count; i++)
    device->parameters[i] = launch->parameters[i];
  device->parameters[launch->parameter_count] = NULL;
  return device->parameters;
}

// What the driver refuses at once is of this kernel; what it finds later may be of any before.
static assay_code name_kernel(const assay_device *device, const char *name, assay_code code,
                              assay_error *err) {
  if (code == ASSAY_OK || device->lost)
    return code;
  assay_error found = *err;
  return assay_fail(err, code, "launch of %s: %s", name, found.text);
}

assay_code assay_device_launch(assay_gpu *gpu, const assay_gpu_launch *launch, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  assay_gpu_function *function = launch->function;
  TRY(assay_device_enter(device, err));
  TRY(check_sizes(launch, err));
  const int64_t *grid = launch->grid, *block = launch->block;
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
    return ASSAY_OK; // nothing to do, which the driver would refuse
  if (launch->shared > function->shared) {
    TRY(CUDA_CALL(device, function_set,
                  (function->handle, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, (int)launch->shared), err));
    function->shared = launch->shared;
  }
  snprintf(device->launched, sizeof device->launched, "%s", function->name);
  assay_code code =
      CUDA_CALL(device, launch,
                (function->handle, (unsigned)grid[0], (unsigned)grid[1], (unsigned)grid[2],
                 (unsigned)block[0], (unsigned)block[1], (unsigned)block[2],
                 (unsigned)launch->shared, device->stream, ended_parameters(device, launch), NULL),
                err);
  return name_kernel(device, function->name, code, err);
}
