// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/instance.h"

#include "compiler/backends/support/descriptor.h"
#include "compiler/lower/jit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A tensor that the program is given.
typedef struct argument {
  assay_descriptor descriptor;
  assay_gpu_address address;
  int64_t bytes;
} argument;

struct assay_gpu_instance {
  const assay_gpu_kind *kind;
  assay_gpu *gpu;
  bool guarded, loaded;
  assay_gpu_runtime *runtime;
  assay_image *image;
  assay_entry *entry;
  int input_count, result_count;
  argument *arguments;                     // inputs, then results
  void **descriptors;                      // addresses of theirs
  unsigned char *scratch;                  // of the largest argument, for comparing
  double seconds_upload, seconds_download; // of the last run; 0: not measured
};

enum { POISON = 0xff };

static void *take(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL)
    abort();
  return memory;
}

static assay_code describe(assay_gpu_instance *it, const assay_program *program, assay_error *err) {
  int64_t largest = 0;
  for (int i = 0; i < it->input_count + it->result_count; i++) {
    int node = i < it->input_count ? program->inputs[i] : program->results[i - it->input_count];
    const assay_shape *shape = &program->nodes[node].shape;
    argument *at = &it->arguments[i];
    // NOLINTNEXTLINE(clang-analyzer-security.ArrayBound): there are as many as inputs and results
    at->bytes =
        assay_shape_count(shape) * (int64_t)assay_dtype_get(program->nodes[node].dtype)->size;
    if (at->bytes > largest)
      largest = at->bytes;
    TRY(assay_gpu_runtime_take(it->runtime, at->bytes, &at->address, err));
    assay_descriptor_describe(&at->descriptor, shape);
    assay_descriptor_point(&at->descriptor,
                           (void *)(uintptr_t)at->address); // NOLINT(performance-no-int-to-ptr)
    it->descriptors[i] = &at->descriptor;
  }
  it->scratch = take((size_t)largest, 1);
  return ASSAY_OK;
}

// Calls a function of the image that it may not have: a program without kernels loads none.
static assay_code call(assay_gpu_instance *it, const char *name, assay_error *err) {
  void *address;
  assay_error none;
  if (assay_image_find(it->image, name, &address, &none) != ASSAY_OK)
    return ASSAY_OK;
  ((void (*)(void))(uintptr_t)address)();
  return assay_gpu_runtime_check(it->runtime, err);
}

static assay_code link(assay_gpu_instance *it, const assay_object *object, assay_error *err) {
  assay_linkage linkage = {.entries = assay_gpu_runtime_entries(), .runtime = it->runtime};
  TRY(assay_image_link(object->bytes, object->size, linkage, &it->image, err));
  it->entry = assay_image_entry(it->image);
  it->loaded = true;
  return call(it, ASSAY_LOAD, err);
}

assay_code assay_gpu_instance_create(const assay_gpu_kind *kind, assay_gpu *gpu,
                                     const assay_program *program, const assay_object *object,
                                     bool guarded, assay_gpu_instance **out_instance,
                                     assay_error *err) {
  assay_gpu_instance *it = take(1, sizeof *it);
  *it = (assay_gpu_instance){.kind = kind,
                             .gpu = gpu,
                             .guarded = guarded,
                             .input_count = program->input_count,
                             .result_count = program->result_count};
  size_t count = (size_t)it->input_count + (size_t)it->result_count;
  it->runtime = assay_gpu_runtime_create(gpu, guarded);
  it->arguments = take(count, sizeof *it->arguments);
  it->descriptors = take(count, sizeof *it->descriptors);
  assay_code code = describe(it, program, err);
  if (code == ASSAY_OK)
    code = link(it, object, err);
  if (code != ASSAY_OK) {
    assay_gpu_instance_destroy(it);
    return code;
  }
  *out_instance = it;
  return ASSAY_OK;
}

void assay_gpu_instance_destroy(assay_gpu_instance *it) {
  if (it == NULL)
    return;
  assay_error err;
  if (it->loaded && call(it, ASSAY_UNLOAD, &err) != ASSAY_OK)
    it->loaded = false; // a device that was lost has nothing loaded
  assay_image_unlink(it->image);
  assay_gpu_runtime_destroy(it->runtime);
  free(it->scratch);
  free(it->arguments);
  free(it->descriptors);
  free(it);
}

// What is guarded is not timed.
static bool has_clock(const assay_gpu_instance *it) {
  return !it->guarded && it->gpu->methods->start != NULL;
}

static assay_code start(assay_gpu_instance *it, assay_error *err) {
  return has_clock(it) ? it->gpu->methods->start(it->gpu, err) : ASSAY_OK;
}

// 0 where there is no clock.
static assay_code stop(assay_gpu_instance *it, double *out_seconds, assay_error *err) {
  *out_seconds = 0;
  return has_clock(it) ? it->gpu->methods->stop(it->gpu, out_seconds, err) : ASSAY_OK;
}

static assay_code upload(assay_gpu_instance *it, const assay_buffer inputs[], assay_error *err) {
  TRY(start(it, err));
  for (int i = 0; i < it->input_count; i++)
    TRY(it->gpu->methods->upload(it->gpu, it->arguments[i].address, inputs[i].data,
                                 it->arguments[i].bytes, err));
  return stop(it, &it->seconds_upload, err);
}

static assay_code run_once(assay_gpu_instance *it, const assay_buffer inputs[], assay_error *err) {
  const assay_gpu_methods *methods = it->gpu->methods;
  assay_gpu_runtime_reset(it->runtime);
  TRY(upload(it, inputs, err));
  for (int i = 0; i < it->result_count && it->guarded; i++) {
    const argument *result = &it->arguments[it->input_count + i];
    TRY(methods->fill(it->gpu, result->address, POISON, 1, result->bytes, err));
  }
  it->entry(it->descriptors);
  return assay_gpu_runtime_check(it->runtime, err);
}

static assay_code fetch(assay_gpu_instance *it, const argument *from, void *target,
                        assay_error *err) {
  return it->gpu->methods->download(it->gpu, target, from->address, from->bytes, err);
}

static assay_code check_inputs(assay_gpu_instance *it, const assay_buffer inputs[],
                               assay_error *err) {
  for (int i = 0; i < it->input_count; i++) {
    TRY(fetch(it, &it->arguments[i], it->scratch, err));
    if (memcmp(it->scratch, inputs[i].data, (size_t)it->arguments[i].bytes) != 0)
      return assay_fail(err, ASSAY_FAILED, "the program changed its input %d on the device", i);
  }
  return ASSAY_OK;
}

// What the first repetition gave is what all must give, to the bit.
static assay_code fetch_results(assay_gpu_instance *it, int repetition,
                                const assay_buffer results[], assay_error *err) {
  TRY(start(it, err));
  for (int i = 0; i < it->result_count; i++) {
    const argument *result = &it->arguments[it->input_count + i];
    if (repetition == 0) {
      TRY(fetch(it, result, results[i].data, err));
      continue;
    }
    TRY(fetch(it, result, it->scratch, err));
    if (memcmp(it->scratch, results[i].data, (size_t)result->bytes) != 0)
      return assay_fail(err, ASSAY_FAILED, "result %d differs between %s and %s", i,
                        it->kind->describe(0), it->kind->describe(repetition));
  }
  return stop(it, &it->seconds_download, err);
}

static assay_code repeat(assay_gpu_instance *it, int repetition, const assay_buffer inputs[],
                         const assay_buffer results[], assay_error *err) {
  if (it->kind->prepare != NULL)
    it->kind->prepare(it->gpu, it->guarded ? repetition : -1);
  assay_error why;
  assay_code code = run_once(it, inputs, &why);
  if (code != ASSAY_OK && it->kind->describe != NULL)
    return assay_fail(err, code, "%s: %s", it->kind->describe(repetition), why.text);
  if (code != ASSAY_OK)
    return assay_fail(err, code, "%s", why.text);
  if (it->guarded)
    TRY(check_inputs(it, inputs, err));
  return fetch_results(it, repetition, results, err);
}

assay_code assay_gpu_instance_run(assay_gpu_instance *it, const assay_buffer inputs[],
                                  const assay_buffer results[], assay_counters *out_counters,
                                  assay_error *err) {
  int repetitions = it->guarded && it->kind->repetitions > 0 ? it->kind->repetitions : 1;
  for (int i = 0; i < repetitions; i++)
    TRY(repeat(it, i, inputs, results, err));
  assay_gpu_counts counts = assay_gpu_runtime_counts(it->runtime);
  out_counters->launches = counts.launches;
  out_counters->blas_calls = counts.library_calls;
  out_counters->travels = counts.travels;
  out_counters->heap = counts.heap;
  out_counters->seconds_upload = it->seconds_upload;
  out_counters->seconds_download = it->seconds_download;
  return ASSAY_OK;
}

// The device works on one run while the host asks for the next, so that what is measured is the
// device's time wherever that is longer than asking.
assay_code assay_gpu_instance_time(assay_gpu_instance *it, int64_t runs, double *out_seconds,
                                   assay_error *err) {
  const assay_gpu_methods *methods = it->gpu->methods;
  if (methods->start == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED, "the device has no clock");
  double seconds;
  assay_gpu_runtime_reset(it->runtime);
  TRY(methods->start(it->gpu, err));
  for (int64_t i = 0; i < runs; i++)
    it->entry(it->descriptors);
  TRY(methods->stop(it->gpu, &seconds, err));
  TRY(assay_gpu_runtime_check(it->runtime, err));
  if (!(seconds > 0))
    return assay_fail(err, ASSAY_FAILED, "the device measured %g s for %" PRId64 " runs", seconds,
                      runs);
  *out_seconds = seconds / (double)runs;
  return ASSAY_OK;
}
