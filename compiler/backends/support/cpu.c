// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/support/cpu.h"
#include "compiler/base/clock.h"

#include "compiler/backends/support/instance.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/object.h"
#include "compiler/lower/pipeline.h"
#include "compiler/lower/signature.h"

#include <stdlib.h>
#include <string.h>

struct assay_device {
  const assay_context *context;
  const assay_pipeline *pipeline;
  assay_target *target;
  assay_loading loading;
};

struct assay_loaded {
  assay_instances *instances;
  int64_t compiles;
};

void assay_cpu_close(assay_device *device) {
  if (device == NULL)
    return;
  assay_target_destroy(device->target);
  free(device);
}

void assay_cpu_set_loading(assay_device *device, assay_loading loading) {
  device->loading = loading;
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
    TRY(assay_pipeline_run_stage(device->context, pipeline, stage, module,
                                 device->loading.watched ? &report->costs : NULL, err));
  }
  return ASSAY_OK;
}

static assay_code compile(const assay_device *device, const assay_program *program,
                          assay_object *object, assay_load_report *report, assay_error *err) {
  double start = assay_clock_now();
  MlirModule module;
  TRY(assay_module_emit(device->context, program, &module, err));
  assay_code code = lower(device, program, module, report, err);
  if (code == ASSAY_OK)
    code = assay_target_compile(device->target, module, &object->bytes, &object->size,
                                device->loading.watched ? &report->costs : NULL, err);
  mlirModuleDestroy(module);
  report->seconds_compile = assay_clock_now() - start;
  return code;
}

assay_code assay_cpu_load(assay_device *device, const assay_program *program, assay_object *object,
                          assay_loaded **out_loaded, assay_load_report *out_report,
                          assay_error *err) {
  *out_report = (assay_load_report){.contractions_named = 0};
  bool compiled = object->bytes == NULL;
  if (compiled)
    TRY(compile(device, program, object, out_report, err));
  assay_instances *instances;
  TRY(assay_instances_create(program, object, !device->loading.unguarded, &instances, err));
  assay_loaded *loaded = malloc(sizeof *loaded);
  if (loaded == NULL)
    abort();
  *loaded = (assay_loaded){.instances = instances, .compiles = compiled};
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
  assay_code code = assay_pipeline_check(context, device->pipeline, err);
  if (code == ASSAY_OK)
    code = assay_target_create(assay_runtime_entries(), &device->target, err);
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
  *out_counters = (assay_counters){.compiles = loaded->compiles};
  return assay_instances_run(loaded->instances, inputs, results, out_counters, err);
}

void assay_cpu_unload(assay_loaded *loaded) {
  if (loaded == NULL)
    return;
  assay_instances_destroy(loaded->instances);
  free(loaded);
}
