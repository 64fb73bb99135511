// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/readme.h"

#include "compiler/bridge/pass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static assay_code do_nothing(MlirOperation operation, assay_error *err) {
  (void)operation;
  (void)err;
  return ASSAY_OK;
}

static const assay_pass own = {.argument = "assay-test-own",
                               .description = "is known to this program alone",
                               .anchor = "builtin.module",
                               .run = do_nothing};

// The README of a bundle in which the pass crashes on a module with a function main.
static const char *readme_of(assay_arena *arena, const char *pass, const char *plugin_words,
                             assay_function_kind kind) {
  const assay_function_state function = {.name = "main", .kind = kind};
  const assay_snapshot state = {.function_count = 1, .functions = &function};
  const assay_execution execution = {.n = 3,
                                     .name = pass,
                                     .anchor = "func.func",
                                     .symbol = "",
                                     .options = pass,
                                     .needs = "",
                                     .before = &state,
                                     .after = &state};
  const assay_ledger_row row = {.execution = &execution};
  const assay_ledger_answer answer = {
      .entry = "main",
      .row_count = 1,
      .rows = &row,
      .blame = {.fault = ASSAY_FAULT_CRASH, .reason = "SIGABRT", .command = "--a-pass"}};
  const assay_ledger_request request = {.plugin_words = plugin_words};
  return assay_readme_text(&request, arena, &answer, "assay");
}

static void names_mlir_opt_where_it_knows_the_pass(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *upstream = readme_of(arena, "cse", "", ASSAY_FUNCTION_FUNC);
  assert_non_null(strstr(upstream, "first bad pass: 3 cse (crash)\nSIGABRT\n"));
  assert_non_null(strstr(upstream, "    mlir-opt-22 before.mlir --a-pass\n"));
  assert_non_null(strstr(upstream,
                         "    assay ledger before.mlir "
                         "--pass-pipeline='builtin.module(func.func(cse))' --entry=main\n"));
  assert_non_null(strstr(upstream, "mlir-opt dies."));
  assert_null(strstr(upstream, "after.mlir"));
  // A plug-in's pass, whatever its name begins with.
  const char *foreign =
      readme_of(arena, "assay-fault-abort", " --load-pass-plugin=x.so", ASSAY_FUNCTION_FUNC);
  assert_non_null(
      strstr(foreign, "    mlir-opt-22 before.mlir --a-pass --load-pass-plugin=x.so\n"));
  assay_arena_destroy(arena);
}

static void lists_the_arrays_that_are_there(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_snapshot module = {.op_count = 0};
  const assay_execution execution = {
      .n = 1, .name = "cse", .symbol = "", .before = &module, .after = &module};
  const assay_ledger_row row = {.execution = &execution};
  const assay_observation seen = {.count = 0};
  assay_ledger_shown shown = {.data = 1, .expected = &seen, .got = &seen};
  const assay_ledger_answer answer = {.entry = "main",
                                      .row_count = 1,
                                      .rows = &row,
                                      .blame = {.reason = "", .command = ""},
                                      .shown_count = 1,
                                      .shown = &shown};
  const assay_ledger_request request = {.plugin_words = ""};
  const char *text = assay_readme_text(&request, arena, &answer, "assay");
  assert_null(strstr(text, "inputs/"));
  assert_non_null(strstr(text, "\nexpected/ "));
  assert_non_null(strstr(text, "\ngot/ "));
  shown.arguments = &seen;
  shown.got = NULL;
  text = assay_readme_text(&request, arena, &answer, "assay");
  assert_non_null(strstr(text, "\ninputs/ "));
  assert_null(strstr(text, "got/"));
  assay_arena_destroy(arena);
}

static void says_what_is_inside_the_pass(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const assay_snapshot module = {.op_count = 0};
  const assay_execution execution = {
      .n = 1, .name = "cse", .symbol = "", .before = &module, .after = &module};
  const assay_ledger_row row = {.execution = &execution};
  assay_ledger_answer answer = {
      .entry = "main",
      .row_count = 1,
      .rows = &row,
      .blame = {.fault = ASSAY_FAULT_CRASH, .reason = "why", .command = ""}};
  const assay_ledger_request request = {.plugin_words = ""};
  assert_null(strstr(assay_readme_text(&request, arena, &answer, "assay"), "inside"));
  answer.blame.pattern = "P on a.b at x:1:2";
  assert_non_null(strstr(assay_readme_text(&request, arena, &answer, "assay"),
                         "why\ninside the pass: pattern P on a.b at x:1:2\n\n"));
  answer.blame.step = "t.s at x:3:4";
  assert_non_null(strstr(assay_readme_text(&request, arena, &answer, "assay"),
                         "inside the pass: step t.s at x:3:4, pattern P on a.b at x:1:2\n"));
  assay_arena_destroy(arena);
}

static void names_no_mlir_opt_for_a_pass_of_its_own(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  static const char *const words[] = {"", " --load-pass-plugin=x.so"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const char *text = readme_of(arena, own.argument, words[i], ASSAY_FUNCTION_FUNC);
    assert_null(strstr(text, "mlir-opt-22"));
    assert_non_null(
        strstr(text, "    assay ledger before.mlir --pass-pipeline='builtin.module(func.func("));
    assert_non_null(strstr(text, "    assay opt before.mlir --a-pass"));
  }
  assay_arena_destroy(arena);
}

int main(void) {
  assay_pass_register(&own);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_mlir_opt_where_it_knows_the_pass),
      cmocka_unit_test(lists_the_arrays_that_are_there),
      cmocka_unit_test(says_what_is_inside_the_pass),
      cmocka_unit_test(names_no_mlir_opt_for_a_pass_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
