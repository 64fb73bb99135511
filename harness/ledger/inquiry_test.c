// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/inquiry.h"

#include "harness/ledger/known.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { QUESTIONS = 5 };

typedef struct bench {
  assay_arena *arena;
  MlirContext context;
  const char *sources[QUESTIONS]; // by the inquiries' number
  assay_inquiry inquiries[QUESTIONS];
  assay_inquiry_answer answers[QUESTIONS];
  int count, answered;
} bench;

static const char sum[] = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                          "  %b = arith.addf %a, %a : tensor<4xf32>\n"
                          "  return %b : tensor<4xf32>\n"
                          "}\n";

static void ask(bench *it, const char *source, const char *pipeline) {
  it->sources[it->count] = source;
  it->inquiries[it->count] = (assay_inquiry){.name = "test.mlir", .pipeline = pipeline};
  it->count++;
}

// The module and the pipeline of a known fault.
static void ask_fault(bench *it, const char *name) {
  assay_known_fault known;
  assay_pass_pipeline *pipeline;
  assay_error err;
  const char *path =
      assay_arena_format(it->arena, "%s/suite/faults/%s.mlir", ASSAY_SOURCE_DIR, name);
  assert_int_equal(assay_known_fault_read(it->arena, path, &known, &err), ASSAY_OK);
  assert_int_equal(
      assay_pass_pipeline_parse(it->context, known.word_count, known.words, &pipeline, &err),
      ASSAY_OK);
  ask(it, known.file.bytes, assay_pass_pipeline_text(pipeline, it->arena));
  assay_pass_pipeline_destroy(pipeline);
}

static assay_code source(void *user, const assay_inquiry *inquiry, assay_arena *arena,
                         const char **out_text, assay_error *err) {
  (void)arena;
  (void)err;
  const bench *it = user;
  *out_text = it->sources[inquiry - it->inquiries];
  return ASSAY_OK;
}

static assay_code answered(void *user, const assay_inquiry *inquiry,
                           const assay_inquiry_answer *answer, assay_error *err) {
  (void)err;
  bench *it = user;
  it->answers[inquiry - it->inquiries] = *answer;
  it->answered++;
  return ASSAY_OK;
}

static void answers_each(void **state) {
  (void)state;
  static bench it;
  it = (bench){.arena = assay_arena_create(), .context = assay_passes_context()};
  ask(&it, sum, "builtin.module(convert-elementwise-to-linalg,cse)");
  ask_fault(&it, "fuse_update_in_place");
  ask(&it, sum, "builtin.module(no-such-pass)");
  ask(&it, "func.func @main(", "builtin.module(cse)");
  ask(&it, "func.func @main(%a: tensor<4xf32>) { \"a.b\"(%a) : (tensor<4xf32>) -> ()\n return }",
      "builtin.module(cse)");
  const assay_ledger_request request = {.context = it.context,
                                        .data = {true, true},
                                        .seed = 1,
                                        .jobs = 2,
                                        .timeout = 60,
                                        .memory_bytes = INT64_C(4096) * 1000000};
  const assay_inquiry_work work = {.user = &it, .source = source, .answered = answered};
  assay_error err;
  assert_int_equal(assay_inquiries_make(&request, it.inquiries, it.count, &work, &err), ASSAY_OK);
  assert_int_equal(it.answered, QUESTIONS);

  const assay_inquiry_answer *clean = &it.answers[0], *bad = &it.answers[1];
  assert_int_equal(clean->status, ASSAY_INQUIRY_CLEAN);
  assert_int_equal(clean->executions, 2);
  assert_int_equal(clean->changed, 1);
  assert_int_equal(clean->not_run, 0);
  assert_int_equal(clean->judged, 2);
  assert_true(clean->margin[0] == 0 && clean->margin[1] == 0);
  assert_int_equal(clean->pass_count, 2);
  const assay_pass_row *rows = assay_inquiry_pass_rows(it.arena, clean);
  assert_string_equal(rows[0].name, "convert-elementwise-to-linalg");
  assert_true(rows[0].changed && rows[0].margin == 0 && rows[0].seconds > 0);
  assert_int_equal(rows[0].ops_before, 3); // the function, addf and return
  assert_true(rows[0].ops_after > 3 && rows[0].ops_after == rows[1].ops_before);
  assert_string_equal(rows[1].name, "cse");
  assert_true(!rows[1].changed && isnan(rows[1].margin) && rows[1].fault == NULL);

  assert_int_equal(bad->status, ASSAY_INQUIRY_ACCUSED);
  assert_int_equal(bad->fault, ASSAY_FAULT_MISCOMPILE);
  assert_non_null(strstr(bad->sentence, bad->pass));
  rows = assay_inquiry_pass_rows(it.arena, bad);
  assert_string_equal(rows[bad->n - 1].fault, "miscompile");

  assert_int_equal(it.answers[2].status, ASSAY_INQUIRY_DIED);
  assert_non_null(strstr(it.answers[2].reason, "no-such-pass"));
  assert_int_equal(it.answers[3].status, ASSAY_INQUIRY_DIED);
  assert_int_equal(it.answers[4].status, ASSAY_INQUIRY_DIED);
  assay_arena_destroy(it.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
