// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: modules through stages of the pipeline, and what their text holds.
#ifndef ASSAY_GPU_KERNELS_KERNELS_TESTING_H
#define ASSAY_GPU_KERNELS_KERNELS_TESTING_H

#include "compiler/lower/emit.h"
#include "compiler/lower/pipeline.h"
#include "gpu/kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  assay_context *context;
  assay_arena *arena;
} fixture;

static inline int fixture_setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assay_error err;
  if (f == NULL || assay_context_create(&f->context, &err) != ASSAY_OK)
    return 1;
  assay_gpu_passes_register();
  f->arena = assay_arena_create();
  *state = f;
  return 0;
}

static inline int fixture_teardown(void **state) {
  fixture *f = *state;
  assay_arena_destroy(f->arena);
  assay_context_destroy(f->context);
  free(f);
  return 0;
}

static inline MlirModule parse_module(const fixture *f, const char *text) {
  MlirModule module =
      mlirModuleCreateParse(assay_context_get(f->context), mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("cannot be parsed:\n%s", text);
  return module;
}

static inline assay_code try_passes(const fixture *f, const char *passes, MlirModule module,
                                    assay_error *err) {
  assay_pipeline pipeline = {
      .name = "mine", .stage_count = 1, .stage = {{.name = "only", .line = 1, .passes = passes}}};
  return assay_pipeline_run_stage(f->context, &pipeline, 0, module, NULL, err);
}

static inline void run_passes(const fixture *f, const char *passes, MlirModule module) {
  assay_error err = {.text = ""};
  if (try_passes(f, passes, module, &err) != ASSAY_OK)
    fail_msg("%s\n%s", err.text, assay_module_print(f->arena, module));
}

// The stages of a pipeline from one to another, both inclusive.
static inline void run_stages_of(const fixture *f, const char *name, const char *first,
                                 const char *last, MlirModule module) {
  const assay_pipeline *pipeline = assay_pipeline_find(name);
  assert_non_null(pipeline);
  bool on = false;
  for (int i = 0; i < pipeline->stage_count; i++) {
    assay_error err = {.text = ""};
    on = on || strcmp(pipeline->stage[i].name, first) == 0;
    if (on && assay_pipeline_run_stage(f->context, pipeline, i, module, NULL, &err) != ASSAY_OK)
      fail_msg("%s\n%s", err.text, assay_module_print(f->arena, module));
    if (strcmp(pipeline->stage[i].name, last) == 0)
      return;
  }
  fail_msg("no stage '%s'", last);
}

static inline void run_stages(const fixture *f, const char *first, const char *last,
                              MlirModule module) {
  run_stages_of(f, "gpu", first, last, module);
}

// Text at the stage `bufferized` -> the text at the stage `kernels`.
static inline const char *kernels_of(const fixture *f, const char *text) {
  MlirModule module = parse_module(f, text);
  run_stages(f, "kernels", "kernels", module);
  const char *printed = assay_module_print(f->arena, module);
  mlirModuleDestroy(module);
  return printed;
}

static inline int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
    count++;
  return count;
}

static inline void assert_count(const char *text, const char *part, int count) {
  if (count_of(text, part) != count)
    fail_msg("'%s' stands there %d times, want %d:\n%s", part, count_of(text, part), count, text);
}

static inline void assert_holds(const char *text, const char *part) {
  if (strstr(text, part) == NULL)
    fail_msg("'%s' is not in:\n%s", part, text);
}

#endif
