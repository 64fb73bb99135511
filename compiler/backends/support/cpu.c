// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/support/cpu.h"

#include "compiler/backends/support/descriptor.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/jit.h"
#include "compiler/lower/pipeline.h"
#include "compiler/lower/signature.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct assay_device {
  const assay_context *context;
  const assay_pipeline *pipeline;
  assay_target *target;
  bool guarded;
};

struct assay_loaded {
  assay_runtime *runtime;
  assay_image *image;
  assay_entry *entry;
  int64_t compiles;
  int input_count, result_count;
  assay_descriptor *descriptors; // of inputs, then results: sizes and strides filled in at loading
  void **arguments;              // addresses of those
};

void assay_cpu_close(assay_device *device) {
  if (device == NULL)
    return;
  assay_target_destroy(device->target);
  free(device);
}

void assay_cpu_guard(assay_device *device, bool guarded) {
  device->guarded = guarded;
}

// The tensor language has no operation or dtype that loops could not do.
assay_code assay_cpu_supports(const assay_device *device, const assay_program *program,
                              assay_error *err) {
  (void)device;
  (void)program;
  (void)err;
  return ASSAY_OK;
}

static int count_contractions(MlirModule module) {
  assay_operations found =
      assay_operations_collect(mlirModuleGetOperation(module), assay_contraction_named);
  free(found.items);
  return found.count;
}

static assay_code lower(const assay_device *device, const assay_program *program, MlirModule module,
                        assay_load_report *report, assay_error *err) {
  const assay_pipeline *pipeline = device->pipeline;
  for (int stage = 0; stage < pipeline->stage_count; stage++) {
    if (strcmp(pipeline->stage[stage].name, "llvm") == 0) {
      TRY(assay_signature_check(module, program, err));
      report->contractions_named = count_contractions(module);
    }
    TRY(assay_pipeline_run_stage(device->context, pipeline, stage, module, err));
  }
  return ASSAY_OK;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static assay_code compile(const assay_device *device, const assay_program *program,
                          assay_object *object, assay_load_report *report, assay_error *err) {
  double start = seconds_now();
  MlirModule module;
  TRY(assay_module_emit(device->context, program, &module, err));
  assay_code code = lower(device, program, module, report, err);
  if (code == ASSAY_OK)
    code = assay_target_compile(device->target, module, &object->bytes, &object->size, err);
  mlirModuleDestroy(module);
  report->seconds_compile = seconds_now() - start;
  return code;
}

static void *take(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL)
    abort();
  return memory;
}

// The descriptors but for their buffers, which each run brings.
static void describe_arguments(assay_loaded *loaded, const assay_program *program) {
  loaded->input_count = program->input_count;
  loaded->result_count = program->result_count;
  size_t count = (size_t)program->input_count + (size_t)program->result_count;
  loaded->descriptors = take(count, sizeof *loaded->descriptors);
  loaded->arguments = take(count, sizeof *loaded->arguments);
  for (size_t i = 0; i < count; i++) {
    int number = (int)i;
    int node = number < program->input_count ? program->inputs[number]
                                             : program->results[number - program->input_count];
    assay_descriptor_describe(&loaded->descriptors[i], &program->nodes[node].shape);
    loaded->arguments[i] = &loaded->descriptors[i];
  }
}

assay_code assay_cpu_load(assay_device *device, const assay_program *program, assay_object *object,
                          assay_loaded **out_loaded, assay_load_report *out_report,
                          assay_error *err) {
  *out_report = (assay_load_report){.contractions_named = 0};
  bool compiled = object->bytes == NULL;
  if (compiled)
    TRY(compile(device, program, object, out_report, err));
  assay_loaded *loaded = take(1, sizeof *loaded);
  loaded->compiles = compiled;
  loaded->runtime = assay_runtime_create(device->guarded);
  describe_arguments(loaded, program);
  assay_code code =
      assay_image_link(object->bytes, object->size, loaded->runtime, &loaded->image, err);
  if (code != ASSAY_OK) {
    assay_cpu_unload(loaded);
    return code;
  }
  loaded->entry = assay_image_entry(loaded->image);
  *out_loaded = loaded;
  return ASSAY_OK;
}

// Compiles a small program, so that a backend that is open is one that works, and that processes
// forked from this one inherit what MLIR and LLVM set up with their first compilation: it saves
// each about a quarter of a small program's compile time.
static assay_code warm_up(assay_device *device, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 5, 6));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 6, 18));
  assay_value c = assay_matmul(graph, a, b);
  const assay_program *program;
  assay_object object = {.bytes = NULL};
  assay_loaded *loaded = NULL;
  assay_load_report report;
  assay_code code = assay_graph_finish(graph, 1, &c, &program, err);
  if (code == ASSAY_OK)
    code = assay_cpu_load(device, program, &object, &loaded, &report, err);
  assay_cpu_unload(loaded);
  free(object.bytes);
  assay_arena_destroy(arena);
  return code;
}

assay_code assay_cpu_open(const assay_context *context, const char *pipeline,
                          assay_device **out_device, assay_error *err) {
  assay_device *device = calloc(1, sizeof *device);
  if (device == NULL)
    abort();
  device->context = context;
  device->pipeline = assay_pipeline_find(pipeline);
  device->guarded = true;
  assay_code code = assay_pipeline_check(context, device->pipeline, err);
  if (code == ASSAY_OK)
    code = assay_target_create(&device->target, err);
  if (code == ASSAY_OK)
    code = warm_up(device, err);
  if (code != ASSAY_OK) {
    assay_cpu_close(device);
    return code;
  }
  *out_device = device;
  return ASSAY_OK;
}

assay_code assay_cpu_run(assay_loaded *loaded, const assay_buffer inputs[],
                         const assay_buffer results[], assay_counters *out_counters,
                         assay_error *err) {
  for (int i = 0; i < loaded->input_count; i++)
    assay_descriptor_point(&loaded->descriptors[i], inputs[i].data);
  for (int i = 0; i < loaded->result_count; i++)
    assay_descriptor_point(&loaded->descriptors[loaded->input_count + i], results[i].data);
  assay_runtime_reset(loaded->runtime);
  loaded->entry(loaded->arguments);
  *out_counters = (assay_counters){.compiles = loaded->compiles,
                                   .blas_calls = assay_runtime_blas_calls(loaded->runtime)};
  return assay_runtime_check(loaded->runtime, err);
}

void assay_cpu_unload(assay_loaded *loaded) {
  if (loaded == NULL)
    return;
  assay_image_unlink(loaded->image);
  assay_runtime_destroy(loaded->runtime);
  free(loaded->arguments);
  free(loaded->descriptors);
  free(loaded);
}
