// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OLDEST_DRIVER = 11000, // CUDA 11.0, the first that reads PTX ISA 7.0
  OLDEST_DEVICE = 80,    // the architecture that the PTX is for
};

// The name of a call without the version of its ABI: "cuMemAlloc_v2" is known as cuMemAlloc.
static int name_length(const char *call) {
  const char *version = strstr(call, "_v");
  return version != NULL ? (int)(version - call) : (int)strlen(call);
}

assay_code assay_device_lose(assay_device *device, const assay_error *fault) {
  if (!device->lost)
    device->fault = *fault;
  device->lost = true;
  return fault->code;
}

// Any call may find that there is no memory left: code is loaded when it is first asked for.
static assay_code fail_for_memory(const assay_device *device, const char *call, int64_t bytes,
                                  assay_error *err) {
  char asked[64] = "";
  if (bytes >= 0)
    snprintf(asked, sizeof asked, ": %lld bytes asked for", (long long)bytes);
  cuda_words words = assay_cuda_describe(&device->cuda, CUDA_OUT_OF_MEMORY), room = {""};
  if (device->facts.memory_total > 0) // it has told once, so that there is a context
    room = assay_cuda_room(&device->cuda);
  const char *before = room.text[0] == '\0' ? "" : bytes >= 0 ? ", " : ": ";
  return assay_fail(err, ASSAY_UNSUPPORTED, "%.*s: %s%s%s%s", name_length(call), call, words.text,
                    asked, before, room.text);
}

assay_code assay_device_judge_alloc(assay_device *device, cuda_result result, const char *call,
                                    int64_t bytes, assay_error *err) {
  return result == CUDA_OUT_OF_MEMORY ? fail_for_memory(device, call, bytes, err)
                                      : assay_device_judge(device, result, call, err);
}

assay_code assay_device_judge(assay_device *device, cuda_result result, const char *call,
                              assay_error *err) {
  if (result == CUDA_SUCCESS)
    return ASSAY_OK;
  if (result == CUDA_OUT_OF_MEMORY)
    return fail_for_memory(device, call, -1, err);
  cuda_words words = assay_cuda_describe(&device->cuda, result);
  bool lost = assay_cuda_is_sticky(result), launched = lost && device->launched[0] != '\0';
  assay_code code = assay_fail(err, ASSAY_FAILED, "%.*s: %s%s%s", name_length(call), call,
                               words.text, launched ? "; the kernel launched last was " : "",
                               launched ? device->launched : "");
  return lost ? assay_device_lose(device, err) : code;
}

assay_code assay_device_enter(assay_device *device, assay_error *err) {
  if (device->lost) {
    *err = device->fault;
    return err->code;
  }
  return CUDA_CALL(device, context_set, (device->context), err);
}

static assay_code synchronize(assay_gpu *gpu, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  return CUDA_CALL(device, stream_synchronize, (device->stream), err);
}

static assay_code start(assay_gpu *gpu, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  return CUDA_CALL(device, event_record, (device->start, device->stream), err);
}

static assay_code stop(assay_gpu *gpu, double *out_seconds, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  TRY(CUDA_CALL(device, event_record, (device->stop, device->stream), err));
  TRY(CUDA_CALL(device, event_synchronize, (device->stop), err));
  float milliseconds = 0;
  TRY(CUDA_CALL(device, event_elapsed, (&milliseconds, device->start, device->stop), err));
  *out_seconds = 1e-3 * (double)milliseconds;
  return ASSAY_OK;
}

static assay_code gemm(assay_gpu *gpu, const assay_gpu_gemm *product, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  bool lost = false;
  assay_code code = assay_cublas_gemm(device->library, product, &lost, err);
  return lost ? assay_device_lose(device, err) : code;
}

static void synchronize_quietly(const assay_device *device) {
  if (device->stream != NULL)
    (void)device->cuda.stream_synchronize(device->stream);
}

// Gives back what there is, in the reverse order. A lost device answers with errors, which say
// nothing new.
static void close_device(assay_gpu *gpu) {
  assay_device *device = (assay_device *)gpu;
  if (device == NULL)
    return;
  const assay_cuda_calls *cuda = &device->cuda;
  if (device->context != NULL) {
    cuda->context_set(device->context);
    synchronize_quietly(device);
    assay_cublas_close(device->library);
    while (device->modules != NULL)
      assay_device_unload(device->modules);
    assay_device_release_all(device);
    synchronize_quietly(device); // memory goes in the order of the stream
    if (device->start != NULL)
      cuda->event_destroy(device->start);
    if (device->stop != NULL)
      cuda->event_destroy(device->stop);
    if (device->stream != NULL)
      cuda->stream_destroy(device->stream);
    cuda->context_set(NULL);
    cuda->context_release(device->number);
  }
  free(device->memory);
  free(device->parameters);
  free(device);
}

// But for gemm, which a device has where cuBLAS was opened with it.
static const assay_gpu_methods methods = {
    .load = assay_device_load,
    .unload = assay_device_unload,
    .find = assay_device_find,
    .alloc = assay_device_alloc,
    .release = assay_device_release,
    .upload = assay_device_upload,
    .download = assay_device_download,
    .copy = assay_device_copy,
    .fill = assay_device_fill,
    .launch = assay_device_launch,
    .synchronize = synchronize,
    .start = start,
    .stop = stop,
    .close = close_device,
};

// No device: the variable that hides them is what people forget.
static assay_code fail_without_device(assay_error *err) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  if (visible == NULL)
    return assay_fail(err, ASSAY_MISSING, "the CUDA driver finds no device");
  if (visible[0] == '\0')
    return assay_fail(err, ASSAY_MISSING,
                      "no CUDA device is visible: CUDA_VISIBLE_DEVICES is empty and hides all");
  return assay_fail(err, ASSAY_MISSING, "no CUDA device is visible with CUDA_VISIBLE_DEVICES=%s",
                    visible);
}

// What fails before there is a context is a device that is not there, if not for want of memory.
static assay_code missing(assay_code code, assay_error *err) {
  if (code != ASSAY_FAILED)
    return code;
  err->code = ASSAY_MISSING;
  return ASSAY_MISSING;
}

static assay_code initialise(assay_device *device, assay_error *err) {
  cuda_result result = device->cuda.init(0);
  if (result == CUDA_NO_DEVICE)
    return fail_without_device(err);
  TRY(missing(assay_device_judge(device, result, assay_cuda_name.init, err), err));
  TRY(CUDA_CALL(device, driver_version, (&device->facts.driver), err));
  int version = device->facts.driver, count = 0;
  if (version < OLDEST_DRIVER)
    return assay_fail(err, ASSAY_MISSING,
                      "driver (CUDA %d.%d) is older than the PTX that is made for it (ISA 7.0, "
                      "CUDA 11.0)",
                      version / 1000, version % 1000 / 10);
  TRY(CUDA_CALL(device, device_count, (&count), err));
  return count > 0 ? ASSAY_OK : fail_without_device(err);
}

static assay_code attribute(assay_device *device, int which, int *out_value, assay_error *err) {
  return CUDA_CALL(device, device_attribute, (out_value, which, device->number), err);
}

static assay_code describe(assay_device *device, assay_error *err) {
  assay_driver_facts *facts = &device->facts;
  int major = 0, minor = 0, pools = 0;
  TRY(CUDA_CALL(device, device_get, (&device->number, 0), err));
  TRY(CUDA_CALL(device, device_name, (facts->device, (int)sizeof facts->device, device->number),
                err));
  TRY(attribute(device, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, &major, err));
  TRY(attribute(device, CUDA_ATTRIBUTE_CAPABILITY_MINOR, &minor, err));
  TRY(attribute(device, CUDA_ATTRIBUTE_MULTIPROCESSORS, &facts->multiprocessors, err));
  facts->architecture = 10 * major + minor;
  if (facts->architecture < OLDEST_DEVICE)
    return assay_fail(err, ASSAY_MISSING, "%s has compute capability %d.%d, expected at least %d.0",
                      facts->device, major, minor, OLDEST_DEVICE / 10);
  const assay_cuda_calls *cuda = &device->cuda;
  device->pools =
      cuda->pool_default != NULL && cuda->pool_set != NULL && cuda->alloc_async != NULL &&
      cuda->release_async != NULL &&
      cuda->device_attribute(&pools, CUDA_ATTRIBUTE_MEMORY_POOLS, device->number) == CUDA_SUCCESS &&
      pools != 0;
  return ASSAY_OK;
}

// What was released stays with the process: to ask the system anew after each synchronize takes
// longer than most kernels.
static assay_code keep_memory(assay_device *device, assay_error *err) {
  if (!device->pools)
    return ASSAY_OK;
  cuda_pool *pool = NULL;
  uint64_t all = UINT64_MAX;
  TRY(CUDA_CALL(device, pool_default, (&pool, device->number), err));
  return CUDA_CALL(device, pool_set, (pool, CUDA_POOL_RELEASE_THRESHOLD, &all), err);
}

static assay_code open_device(assay_device *device, bool with_library, assay_error *err) {
  TRY(assay_cuda_find(&device->cuda, err));
  TRY(initialise(device, err));
  TRY(describe(device, err));
  TRY(missing(CUDA_CALL(device, context_retain, (&device->context, device->number), err), err));
  TRY(CUDA_CALL(device, context_set, (device->context), err));
  size_t unused = 0, total = 0;
  TRY(CUDA_CALL(device, memory_info, (&unused, &total), err));
  device->facts.memory_free = (int64_t)unused;
  device->facts.memory_total = (int64_t)total;
  TRY(keep_memory(device, err));
  TRY(CUDA_CALL(device, stream_create, (&device->stream, CUDA_STREAM_NON_BLOCKING), err));
  TRY(CUDA_CALL(device, event_create, (&device->start, 0), err));
  TRY(CUDA_CALL(device, event_create, (&device->stop, 0), err));
  return with_library ? assay_cublas_open(&device->cuda, device->stream, &device->library, err)
                      : ASSAY_OK;
}

assay_code assay_driver_open(bool with_library, assay_gpu **out_gpu, assay_error *err) {
  assay_device *device = calloc(1, sizeof *device);
  if (device == NULL)
    abort();
  device->methods = methods;
  device->methods.gemm = with_library ? gemm : NULL;
  device->gpu.methods = &device->methods;
  assay_code code = open_device(device, with_library, err);
  if (code == ASSAY_OK)
    *out_gpu = &device->gpu;
  else
    close_device(&device->gpu);
  return code;
}

const assay_driver_facts *assay_driver_facts_get(const assay_gpu *gpu) {
  return &((const assay_device *)gpu)->facts;
}

const char *assay_driver_note(const assay_gpu *gpu) {
  const assay_device *device = (const assay_device *)gpu;
  return device->note[0] != '\0' ? device->note : NULL;
}
