// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that the simulator and the driver name are those of `assay show CASE --stage nvvm`.
#include "compiler/ir/walk.h"
#include "compiler/lower/emit.h"
#include "gpu/backends/support/compile.h"
#include "gpu/kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *shown;   // what stage nvvm prints
static int checked, differ; // operations of the kernels

// The line of the text, from 1; "" where it has no such one.
static const char *line_of(const char *text, int line) {
  for (; line > 1 && *text != '\0'; line--) {
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return text;
}

// Stands for an assembler, which takes its lines from the operations that it is given.
static assay_code assemble(MlirOperation gpu_module, void **out_bytes, size_t *out_size,
                           assay_error *err) {
  (void)err;
  assay_operations all = assay_operations_collect(gpu_module, NULL);
  for (int i = 0; i < all.count; i++) {
    assay_place place;
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(all.items[i]));
    bool known = assay_place_find(mlirOperationGetLocation(all.items[i]), &place);
    const char *line = known ? line_of(shown, place.line) : "";
    const char *end = line + strcspn(line, "\n");
    const char *at = strstr(line, name.data);
    checked++;
    differ += at == NULL || at > end;
  }
  assay_operations_release(&all);
  *out_bytes = strdup("code");
  *out_size = 4;
  return ASSAY_OK;
}

static const assay_program *make_program(assay_arena *arena) {
  const assay_program *program;
  assay_error err;
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(2, 3, 5));
  assay_value w = assay_input(graph, "w", ASSAY_F32, assay_shape_make(2, 5, 7));
  assay_value result = assay_tanh(graph, assay_matmul(graph, x, w));
  if (assay_graph_finish(graph, 1, &result, &program, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  return program;
}

// As assay show does it.
static const char *show(assay_arena *arena, const assay_context *context,
                        const assay_pipeline *pipeline, const assay_program *program) {
  MlirModule module;
  assay_error err;
  if (assay_module_emit(context, program, &module, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  for (int stage = 0; stage < pipeline->stage_count; stage++) {
    if (strcmp(pipeline->stage[stage].name, "llvm") == 0)
      break;
    if (assay_pipeline_run_stage(context, pipeline, stage, module, NULL, &err) != ASSAY_OK)
      fail_msg("%s", err.text);
  }
  const char *text = assay_module_print(arena, module);
  mlirModuleDestroy(module);
  return text;
}

static void lines_are_those_shown(void **state) {
  (void)state;
  static const assay_gpu_kind kind = {.pipeline = "gpu", .assemble = assemble};
  assay_arena *arena = assay_arena_create();
  assay_error err;
  assay_context *context;
  assert_int_equal(assay_context_create(&context, &err), ASSAY_OK);
  assay_gpu_passes_register();
  assay_gpu_compiler compiler = {
      .context = context, .pipeline = assay_pipeline_find("gpu"), .kind = &kind};
  assert_int_equal(assay_target_create(assay_gpu_runtime_entries(), &compiler.target, &err),
                   ASSAY_OK);
  const assay_program *program = make_program(arena);
  shown = show(arena, context, compiler.pipeline, program);
  assay_object object = {.bytes = NULL};
  assay_load_report report = {.contractions_named = 0};
  if (assay_gpu_compile(&compiler, false, program, &object, &report, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_true(checked > 50);
  assert_int_equal(differ, 0);
  free(object.bytes);
  assay_target_destroy(compiler.target);
  assay_context_destroy(context);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_those_shown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
