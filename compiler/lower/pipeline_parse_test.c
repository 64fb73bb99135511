// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/pipeline_parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int create(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int destroy(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

static assay_code parse(void **state, const char *text, assay_pipeline *out, assay_error *err) {
  assay_file file = {.path = "some/where/fast.pipeline", .bytes = text, .size = strlen(text)};
  return assay_pipeline_parse(*state, &file, out, err);
}

static void expect_error(void **state, const char *text, const char *where, const char *message) {
  assay_pipeline pipeline;
  assay_error err;
  assert_int_equal(parse(state, text, &pipeline, &err), ASSAY_INVALID);
  assert_string_equal(err.where, where);
  assert_string_equal(err.text, message);
}

static void stages_keep_their_lines(void **state) {
  assay_pipeline pipeline;
  assay_error err;
  const char *text = "# what it is\n\n  stage  first # early\ncanonicalize,\t# tidy\n\n  cse\n"
                     "stage second\nsymbol-dce";
  assert_int_equal(parse(state, text, &pipeline, &err), ASSAY_OK);
  assert_string_equal(pipeline.name, "fast");
  assert_int_equal(pipeline.stage_count, 2);
  assert_string_equal(pipeline.stage[0].name, "first");
  assert_int_equal(pipeline.stage[0].line, 3);
  assert_string_equal(pipeline.stage[0].passes, "builtin.module(\ncanonicalize,\n\ncse)");
  assert_string_equal(pipeline.stage[1].name, "second");
  assert_int_equal(pipeline.stage[1].line, 7);
  assert_string_equal(pipeline.stage[1].passes, "builtin.module(\nsymbol-dce)");
}

static void a_pass_may_begin_like_the_keyword(void **state) {
  assay_pipeline pipeline;
  assay_error err;
  assert_int_equal(parse(state, "stage one\nstage-two\n", &pipeline, &err), ASSAY_OK);
  assert_string_equal(pipeline.stage[0].passes, "builtin.module(\nstage-two)");
}

static void contracts_stand_in_front(void **state) {
  assay_pipeline pipeline;
  assay_error err;
  const char *text = "nan-contract cse = error # why\n\tnan-contract  canonicalize=planted\n"
                     "nan-contract sccp =off\nstage one\nnan-contract cse = report\n";
  assert_int_equal(parse(state, text, &pipeline, &err), ASSAY_OK);
  assert_int_equal(pipeline.contract_count, 3);
  static const assay_pass_contract rows[] = {
      {"cse", ASSAY_NAN_ERROR}, {"canonicalize", ASSAY_NAN_PLANTED_ONLY}, {"sccp", ASSAY_NAN_OFF}};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(pipeline.contract[i].pass, rows[i].pass);
    assert_int_equal(pipeline.contract[i].contract, rows[i].contract);
  }
  // Behind the first stage everything is MLIR's.
  assert_string_equal(pipeline.stage[0].passes, "builtin.module(\nnan-contract cse = report)");
}

static void malformed_contracts_name_the_line(void **state) {
  static const char *const lines[] = {"nan-contract",           "nan-contract cse",
                                      "nan-contract cse error", "nan-contract cse = plant",
                                      "nan-contract = error",   "nan-contract cse = error off"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    expect_error(state, lines[i], "some/where/fast.pipeline:1",
                 "expected 'nan-contract PASS = error|planted|report|off'");
}

static void malformed_files_name_the_line(void **state) {
  expect_error(state, "", "some/where/fast.pipeline", "no 'stage NAME'");
  expect_error(state, "# only\ncse\nstage a\ncse\n", "some/where/fast.pipeline:2",
               "passes before the first 'stage NAME'");
  expect_error(state, "stage\ncse\n", "some/where/fast.pipeline:1", "expected 'stage NAME'");
  expect_error(state, "stage a b\ncse\n", "some/where/fast.pipeline:1", "expected 'stage NAME'");
  expect_error(state, "\nstage a\n# nothing\n", "some/where/fast.pipeline:2",
               "stage 'a' has no passes");
  expect_error(state, "stage a\nstage b\ncse\n", "some/where/fast.pipeline:1",
               "stage 'a' has no passes");
  expect_error(state, "stage a\ncse\nstage a\ncse\n", "some/where/fast.pipeline:3",
               "stage 'a' is there already, on line 1");
  expect_error(state,
               "stage a\nx\nstage b\nx\nstage c\nx\nstage d\nx\nstage e\nx\nstage f\nx\nstage g\n"
               "x\nstage h\nx\nstage i\nx\n",
               "some/where/fast.pipeline:17", "more than 8 stages");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(stages_keep_their_lines, create, destroy),
      cmocka_unit_test_setup_teardown(a_pass_may_begin_like_the_keyword, create, destroy),
      cmocka_unit_test_setup_teardown(contracts_stand_in_front, create, destroy),
      cmocka_unit_test_setup_teardown(malformed_contracts_name_the_line, create, destroy),
      cmocka_unit_test_setup_teardown(malformed_files_name_the_line, create, destroy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
