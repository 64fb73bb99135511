// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/passes.h"
#include "compiler/bridge/passes/mlir_opt_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static MlirContext context;

static int set_up(void **state) {
  (void)state;
  context = assay_passes_context();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  mlirContextDestroy(context);
  return 0;
}

static void expect_text(int count, const char *const words[], const char *text) {
  assay_pass_pipeline *pipeline = NULL;
  assay_error err = {0};
  if (assay_pass_pipeline_parse(context, count, words, &pipeline, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  assay_arena *arena = assay_arena_create();
  assert_string_equal(assay_pass_pipeline_text(pipeline, arena), text);
  assay_arena_destroy(arena);
  assay_pass_pipeline_destroy(pipeline);
}

static void expect_invalid(int count, const char *const words[], const char *part) {
  assay_pass_pipeline *pipeline = NULL;
  assay_error err = {0};
  assert_int_equal(assay_pass_pipeline_parse(context, count, words, &pipeline, &err),
                   ASSAY_INVALID);
  if (strstr(err.text, part) == NULL)
    fail_msg("'%s' is not in: %s", part, err.text);
}

#define WORDS(...)                                                                                 \
  (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), (const char *[]) {                \
    __VA_ARGS__                                                                                    \
  }

static void flags_nest_and_keep_their_order(void **state) {
  (void)state;
  expect_text(0, NULL, "builtin.module()");
  expect_text(WORDS("--cse", "-affine-super-vectorize", "--affine-loop-fusion=mode=greedy"),
              "builtin.module(cse,func.func(affine-super-vectorize{ vectorize-reductions=false })"
              ",affine-loop-fusion{compute-tolerance=3.000000e-01 fast-mem-space=0 "
              "local-buf-threshold=0 maximal=false mode=greedy})");
}

static void options_of_a_flag_are_mlir_opt_s(void **state) {
  (void)state;
  expect_text(WORDS("--convert-vector-to-scf=full-unroll=true target-rank=2"),
              "builtin.module(convert-vector-to-scf{full-unroll=true lower-scalable=false "
              "lower-tensors=false target-rank=2})");
  expect_text(WORDS("-convert-vector-to-scf{target-rank=2}"),
              "builtin.module(convert-vector-to-scf{full-unroll=false lower-scalable=false "
              "lower-tensors=false target-rank=2})");
}

static void a_text_is_taken_as_it_is(void **state) {
  (void)state;
  expect_text(WORDS("--pass-pipeline=builtin.module(cse,func.func(cse))"),
              "builtin.module(cse,func.func(cse))");
  expect_text(WORDS("-pass-pipeline", "builtin.module(any(cse))"), "builtin.module(any(cse))");
  expect_text(WORDS("--pass-pipeline=func.func(cse)"), "func.func(cse)");
}

static void registered_pipelines_are_flags_too(void **state) {
  (void)state;
  static const char *const names[] = {
      "--buffer-deallocation-pipeline",
      "--sparsifier",
      "--test-lower-to-llvm",
      "--tosa-to-linalg-pipeline=emulate-rescale-32=true",
      "--convert-to-llvm",
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    assay_pass_pipeline *pipeline = NULL;
    assay_error err = {0};
    // tosa-to-linalg-pipeline knows no such option, and must say so.
    bool known = strchr(names[i], '=') == NULL;
    assert_int_equal(assay_pass_pipeline_parse(context, 1, &names[i], &pipeline, &err),
                     known ? ASSAY_OK : ASSAY_INVALID);
    assay_pass_pipeline_destroy(known ? pipeline : NULL);
  }
}

static void unknown_names_are_told_with_the_nearest(void **state) {
  (void)state;
  expect_invalid(WORDS("--canonicalise"), "unknown pass or option 'canonicalise'; did you mean "
                                          "'canonicalize'?");
  expect_invalid(WORDS("--cse", "-tost-lower-to-llvm"), "did you mean 'test-lower-to-llvm'?");
  expect_invalid(WORDS("--pass-pipeline=builtin.module(one-shot-buferize)"),
                 "--pass-pipeline: unknown pass 'one-shot-buferize'; did you mean "
                 "'one-shot-bufferize'?");
  expect_invalid(WORDS("file.mlir"), "expected a pass as a flag, found 'file.mlir'");
  expect_invalid(WORDS("--cse", "--pass-pipeline=builtin.module(cse)"), "exclude each other");
  expect_invalid(WORDS("--pass-pipeline"), "needs a value");
  expect_invalid(WORDS("--pass-pipeline=builtin.module(cse"), "--pass-pipeline: ");
}

static void wrong_options_are_told(void **state) {
  (void)state;
  expect_invalid(WORDS("--canonicalize=top-dawn=true"), "no such option top-dawn");
  expect_invalid(WORDS("--canonicalize=max-iterations=many"), "many");
  expect_invalid(WORDS("--pass-pipeline=builtin.module(canonicalize{max-iterations=many})"),
                 "many");
}

// Passes on interfaces cannot stand on a module, and pipelines not in everything.
static void what_cannot_be_scheduled_is_told(void **state) {
  (void)state;
  expect_invalid(WORDS("--affine-loop-unroll"), "unable to schedule pass 'AffineLoopUnroll'");
  expect_invalid(WORDS("--pass-pipeline=builtin.module(affine-loop-unroll-jam)"),
                 "unable to schedule pass");
  expect_invalid(WORDS("--pass-pipeline=builtin.module(func.func(convert-func-to-llvm))"),
                 "restricted to 'builtin.module'");
  expect_invalid(WORDS("--pass-pipeline=builtin.module(func.func(tosa-to-linalg-pipeline,"
                       "sparsifier))"),
                 "the pipeline cannot be built: ");
}

static void flags_are_known_as_such(void **state) {
  (void)state;
  assert_true(assay_pass_is_known("--cse"));
  assert_true(assay_pass_is_known("-affine-loop-fusion=mode=greedy"));
  assert_true(assay_pass_is_known("-test-lower-to-llvm"));
  assert_true(assay_pass_is_known("--inline{}"));
  assert_false(assay_pass_is_known("cse"));
  assert_false(assay_pass_is_known("--entry"));
  assert_false(assay_pass_is_known("---cse"));
  assert_null(assay_pass_nearest("quite-another-thing-altogether"));
}

// Every pass and pipeline of mlir-opt, read from its help: below "Compiler passes to run" with six
// blanks, their options with eight.
static void all_of_mlir_opt_is_here(void **state) {
  (void)state;
  FILE *help = run_mlir_opt((const char *const[]){"--help", NULL}, "");
  assert_non_null(help);
  char line[4096], flag[256];
  bool inside = false;
  int known = 0, unknown = 0;
  while (fgets(line, sizeof line, help) != NULL) {
    inside = inside || strstr(line, "Compiler passes to run") != NULL;
    if (!inside || strncmp(line, "      --", 8) != 0 || sscanf(line, "%255s", flag) != 1)
      continue;
    flag[strcspn(flag, "=<")] = '\0';
    if (assay_pass_is_known(flag)) {
      known++;
    } else {
      print_error("not known: %s\n", flag);
      unknown++;
    }
  }
  fclose(help);
  assert_int_equal(unknown, 0);
  assert_true(known > 450);
}

static void plugins_that_are_none_are_told(void **state) {
  (void)state;
  assay_error err = {0};
  assert_int_equal(assay_passes_load_plugin("/nonexistent/libx.so", &err), ASSAY_INVALID);
  assert_string_equal(err.where, "/nonexistent/libx.so");
  assert_non_null(strstr(err.text, "No such file"));
  assert_int_equal(assay_passes_load_plugin("libm.so.6", &err), ASSAY_INVALID);
  assert_non_null(strstr(err.text, "no plug-in for this LLVM"));
  assert_int_equal(assay_passes_load_plugin(ASSAY_STRANGER_PLUGIN, &err), ASSAY_INVALID);
  assert_non_null(strstr(err.text, "no plug-in for this LLVM"));
  assert_int_equal(assay_dialects_load_plugin("libm.so.6", context, &err), ASSAY_INVALID);
}

static void passes_of_plugins_are_flags_too(void **state) {
  (void)state;
  assay_error err = {0};
  if (assay_passes_load_plugin(ASSAY_FAULTS_PLUGIN, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_true(assay_pass_is_known("--assay-fault-dropped-fill"));
  expect_text(WORDS("--cse", "-assay-fault-dropped-fill=nth=1"),
              "builtin.module(cse,assay-fault-dropped-fill{nth=1})");
  expect_invalid(WORDS("--assay-fault-dropped-fil"), "did you mean 'assay-fault-dropped-fill'?");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flags_nest_and_keep_their_order),
      cmocka_unit_test(options_of_a_flag_are_mlir_opt_s),
      cmocka_unit_test(a_text_is_taken_as_it_is),
      cmocka_unit_test(registered_pipelines_are_flags_too),
      cmocka_unit_test(unknown_names_are_told_with_the_nearest),
      cmocka_unit_test(wrong_options_are_told),
      cmocka_unit_test(what_cannot_be_scheduled_is_told),
      cmocka_unit_test(flags_are_known_as_such),
      cmocka_unit_test(all_of_mlir_opt_is_here),
      cmocka_unit_test(plugins_that_are_none_are_told),
      cmocka_unit_test(passes_of_plugins_are_flags_too),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
