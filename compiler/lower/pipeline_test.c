// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int create(void **state) {
  assay_error err;
  return assay_context_create((assay_context **)state, &err) == ASSAY_OK ? 0 : -1;
}

static int destroy(void **state) {
  assay_context_destroy(*state);
  return 0;
}

static assay_pipeline one_stage(const char *passes) {
  return (assay_pipeline){
      .name = "mine", .stage_count = 1, .stage = {{.name = "only", .line = 10, .passes = passes}}};
}

// The passes of gpu's other stages are registered elsewhere, and checked there.
static void check_built_in(const assay_context *context, const assay_pipeline *pipeline) {
  assay_error err = {.text = ""};
  bool gpu = strcmp(pipeline->name, "gpu") == 0 || strcmp(pipeline->name, "cublas") == 0;
  if (!gpu && assay_pipeline_check(context, pipeline, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  assert_ptr_equal(assay_pipeline_find(pipeline->name), pipeline);
  assert_string_equal(pipeline->stage[0].name, "bufferized");
  assert_string_equal(pipeline->stage[pipeline->stage_count - 1].name, "llvm");
  assert_int_equal(pipeline->stage_count, gpu ? 4 : 2);
  assert_int_equal(assay_nan_contract_of("assay-expand-math", pipeline->contract_count,
                                         pipeline->contract, ASSAY_NAN_OFF),
                   ASSAY_NAN_ERROR);
}

static void built_in_pipelines_are_known_to_mlir(void **state) {
  static const char *const names[] = {"blas", "cublas", "gpu", "loop"};
  enum { COUNT = sizeof names / sizeof *names };
  const assay_pipeline *const *pipelines = assay_pipelines_get();
  for (int i = 0; i < COUNT; i++) {
    assert_non_null(pipelines[i]);
    assert_string_equal(pipelines[i]->name, names[i]);
    check_built_in(*state, pipelines[i]);
  }
  assert_null(pipelines[COUNT]);
  assert_null(assay_pipeline_find("loops"));
}

static void an_unknown_pass_is_named_with_its_line(void **state) {
  assay_pipeline pipeline = one_stage("builtin.module(\ncanonicalize,\n\nfunc.func(csee))");
  assay_error err;
  assert_int_equal(assay_pipeline_check(*state, &pipeline, &err), ASSAY_INVALID);
  assert_string_equal(err.where, "compiler/pipelines/mine.pipeline:13:11");
  assert_string_equal(err.text,
                      "stage 'only': 'csee' does not refer to a registered pass or pass pipeline");
}

static void an_unknown_option_is_named(void **state) {
  assay_pipeline pipeline = one_stage("builtin.module(\ncanonicalize{tidy=1})");
  assay_error err;
  assert_int_equal(assay_pipeline_check(*state, &pipeline, &err), ASSAY_INVALID);
  assert_string_equal(err.where, "compiler/pipelines/mine.pipeline:10");
  assert_non_null(strstr(err.text, "no such option tidy"));
}

static MlirModule parse(const assay_context *context, const char *text) {
  MlirModule module =
      mlirModuleCreateParse(assay_context_get(context), mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  return module;
}

static void a_failing_pass_leaves_its_diagnostic(void **state) {
  MlirModule module = parse(*state, "func.func @f(%m: memref<2xf32>) {\n"
                                    "  memref.dealloc %m : memref<2xf32>\n  return\n}\n");
  assay_pipeline pipeline = one_stage("builtin.module(ownership-based-buffer-deallocation)");
  assay_error err;
  assert_int_equal(assay_pipeline_run_stage(*state, &pipeline, 0, module, NULL, &err),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, "pipeline 'mine', stage 'only': "));
  assert_non_null(strstr(err.text, "memref.dealloc"));
  mlirModuleDestroy(module);
}

static void a_stage_changes_the_module(void **state) {
  MlirModule module = parse(*state, "func.func private @unused()\n");
  assay_pipeline pipeline = one_stage("builtin.module(\nsymbol-dce\n)");
  assay_error err;
  assert_int_equal(assay_pipeline_run_stage(*state, &pipeline, 0, module, NULL, &err), ASSAY_OK);
  assert_true(mlirOperationIsNull(mlirBlockGetFirstOperation(mlirModuleGetBody(module))));
  mlirModuleDestroy(module);
}

// A stage of those passes on a module of that text, watched.
static void watch(void *context, const char *text, const char *passes, assay_costs *costs) {
  MlirModule module = parse(context, text);
  assay_pipeline pipeline = one_stage(passes);
  assay_error err = {.text = ""};
  if (assay_pipeline_run_stage(context, &pipeline, 0, module, costs, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  mlirModuleDestroy(module);
}

static void check_cost(const assay_costs *costs, int number, const char *name, int64_t before,
                       int64_t after, bool changed) {
  const assay_pass_cost *cost = &costs->passes[number];
  if (strcmp(cost->name, name) != 0 || cost->ops_before != before || cost->ops_after != after ||
      cost->changed != changed || !(cost->seconds >= 0))
    fail_msg("pass %d: %s, %d to %d operations%s, want %s, %d to %d%s", number, cost->name,
             (int)cost->ops_before, (int)cost->ops_after, cost->changed ? ", changed" : "", name,
             (int)before, (int)after, changed ? ", changed" : "");
}

static void each_pass_has_its_costs(void **state) {
  // Operations: the module, two functions, two sums, a product and a return.
  static const char text[] = "func.func private @unused()\n"
                             "func.func @f(%x: i32) -> i32 {\n"
                             "  %a = arith.addi %x, %x : i32\n"
                             "  %b = arith.addi %x, %x : i32\n"
                             "  %c = arith.muli %a, %b : i32\n"
                             "  return %c : i32\n}\n";
  static assay_costs costs; // too large for a stack that MLIR shares
  costs = (assay_costs){0};
  watch(*state, text, "builtin.module(\nfunc.func(cse),symbol-dce,canonicalize\n)", &costs);
  assert_int_equal(costs.pass_count, 4);
  check_cost(&costs, 0, "cse", 7, 7, false); // of the first function, counted in the whole
  check_cost(&costs, 1, "cse", 7, 6, true);
  check_cost(&costs, 2, "symbol-dce", 6, 5, true);
  check_cost(&costs, 3, "canonicalize", 5, 5, false);
  // Those of a next stage follow.
  watch(*state, text, "builtin.module(\nsymbol-dce\n)", &costs);
  assert_int_equal(costs.pass_count, 5);
  check_cost(&costs, 4, "symbol-dce", 7, 6, true);
}

static void passes_inside_a_pass_come_before_it(void **state) {
  static const char text[] = "func.func private @one() -> i32 {\n"
                             "  %a = arith.constant 1 : i32\n"
                             "  return %a : i32\n}\n"
                             "func.func @f() -> i32 {\n"
                             "  %a = func.call @one() : () -> i32\n"
                             "  return %a : i32\n}\n";
  static assay_costs costs;
  costs = (assay_costs){0};
  watch(*state, text, "builtin.module(\ninline\n)", &costs);
  assert_true(costs.pass_count >= 2);
  for (int i = 0; i + 1 < costs.pass_count; i++)
    assert_string_equal(costs.passes[i].name, "canonicalize");
  check_cost(&costs, costs.pass_count - 1, "inline", 7, 4, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_in_pipelines_are_known_to_mlir),
      cmocka_unit_test(an_unknown_pass_is_named_with_its_line),
      cmocka_unit_test(an_unknown_option_is_named),
      cmocka_unit_test(a_failing_pass_leaves_its_diagnostic),
      cmocka_unit_test(a_stage_changes_the_module),
      cmocka_unit_test(each_pass_has_its_costs),
      cmocka_unit_test(passes_inside_a_pass_come_before_it),
  };
  return cmocka_run_group_tests(tests, create, destroy);
}
