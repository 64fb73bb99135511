// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/support/compile.h"
#include "gpu/backends/support/instance.h"
#include "gpu/kernels/kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct assay_device {
  assay_gpu_compiler compiler;
  assay_loading loading;
  assay_gpu *gpu; // opened where a program is loaded first
  char hardware[ASSAY_GPU_HARDWARE];
};

struct assay_loaded {
  assay_gpu_instance *instance;
  int64_t compiles;
  pthread_mutex_t lock; // of the instance: a device runs one program at a time
};

assay_code assay_gpu_open(const assay_context *context, const assay_gpu_kind *kind,
                          assay_device **out_device, assay_error *err) {
  assay_gpu_passes_register();
  assay_device *device = calloc(1, sizeof *device);
  if (device == NULL)
    abort();
  device->compiler = (assay_gpu_compiler){
      .context = context, .pipeline = assay_pipeline_find(kind->pipeline), .kind = kind};
  assay_code code = assay_pipeline_check(context, device->compiler.pipeline, err);
  if (code == ASSAY_OK)
    code = assay_target_create(assay_gpu_runtime_entries(), &device->compiler.target, err);
  if (code != ASSAY_OK) {
    assay_gpu_close(device);
    return code;
  }
  *out_device = device;
  return ASSAY_OK;
}

void assay_gpu_close(assay_device *device) {
  if (device == NULL)
    return;
  if (device->gpu != NULL)
    device->gpu->methods->close(device->gpu);
  assay_target_destroy(device->compiler.target);
  free(device);
}

void assay_gpu_set_hardware(assay_device *device, const char *text) {
  snprintf(device->hardware, sizeof device->hardware, "%s", text);
}

const char *assay_gpu_hardware(const assay_device *device) {
  return device->hardware;
}

void assay_gpu_set_loading(assay_device *device, assay_loading loading) {
  device->loading = loading;
}

assay_code assay_gpu_supports(const assay_device *device, const assay_program *program,
                              assay_error *err) {
  (void)device;
  (void)program;
  (void)err;
  return ASSAY_OK;
}

assay_code assay_gpu_load(assay_device *device, const assay_program *program, assay_object *object,
                          assay_loaded **out_loaded, assay_load_report *out_report,
                          assay_error *err) {
  *out_report = (assay_load_report){.contractions_named = 0};
  const assay_gpu_kind *kind = device->compiler.kind;
  bool compiled = object->bytes == NULL;
  if (compiled)
    TRY(assay_gpu_compile(&device->compiler, device->loading.watched, program, object, out_report,
                          err));
  if (device->gpu == NULL)
    TRY(kind->open(&device->gpu, err));
  assay_gpu_instance *instance;
  assay_code code = assay_gpu_instance_create(kind, device->gpu, program, object,
                                              !device->loading.unguarded, &instance, err);
  const char *note = kind->note != NULL ? kind->note(device->gpu) : NULL;
  if (note != NULL)
    snprintf(out_report->note, sizeof out_report->note, "%.*s", (int)sizeof out_report->note - 1,
             note);
  TRY(code);
  assay_loaded *loaded = malloc(sizeof *loaded);
  if (loaded == NULL)
    abort();
  *loaded = (assay_loaded){.instance = instance, .compiles = compiled};
  if (pthread_mutex_init(&loaded->lock, NULL) != 0)
    abort(); // out of memory is all that it can report
  *out_loaded = loaded;
  return ASSAY_OK;
}

void assay_gpu_unload(assay_loaded *loaded) {
  if (loaded == NULL)
    return;
  assay_gpu_instance_destroy(loaded->instance);
  pthread_mutex_destroy(&loaded->lock);
  free(loaded);
}

assay_code assay_gpu_run(assay_loaded *loaded, const assay_buffer inputs[],
                         const assay_buffer results[], assay_counters *out_counters,
                         assay_error *err) {
  *out_counters = (assay_counters){.compiles = loaded->compiles};
  pthread_mutex_lock(&loaded->lock);
  assay_code code = assay_gpu_instance_run(loaded->instance, inputs, results, out_counters, err);
  pthread_mutex_unlock(&loaded->lock);
  return code;
}

assay_code assay_gpu_time(assay_loaded *loaded, int64_t runs, double *out_seconds,
                          assay_error *err) {
  pthread_mutex_lock(&loaded->lock);
  assay_code code = assay_gpu_instance_time(loaded->instance, runs, out_seconds, err);
  pthread_mutex_unlock(&loaded->lock);
  return code;
}
