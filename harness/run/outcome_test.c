// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/outcome.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const assay_suite_op op = {.name = "matmul"};
static const assay_backend backend = {.name = "loop"};
static const assay_opened opened = {.backend = &backend};

static const char *repro_of(assay_arena *arena, const char *line, bool standard) {
  const assay_case the_case = {.op = &op, .line = line, .standard = standard};
  const assay_job job = {.a_case = &the_case, .opened = &opened, .data = "int"};
  assay_outcome outcome;
  assay_outcome_set(&outcome, ASSAY_FAIL, "wrong");
  return assay_outcome_record(arena, &job, &outcome, "now", NULL)->repro;
}

static void gives_a_command_that_a_shell_takes(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assert_string_equal(repro_of(arena, "matmul m=3", true),
                      "assay run --filter 'matmul m=3 data=int backend=loop'");
  assert_string_equal(repro_of(arena, "matmul m=3", false),
                      "assay run --case 'matmul m=3' --data int --backend loop");
  assert_string_equal(repro_of(arena, "it's $(a)", false),
                      "assay run --case 'it'\\''s $(a)' --data int --backend loop");
  assay_arena_destroy(arena);
}

static void cuts_a_long_reason(void **state) {
  (void)state;
  char longer[2 * ASSAY_OUTCOME_REASON];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  assay_outcome outcome;
  assay_outcome_set(&outcome, ASSAY_CRASH, "%s", longer);
  assert_int_equal(strlen(outcome.reason), ASSAY_OUTCOME_REASON - 1);
  assert_true(isnan(outcome.margin));
}

// Whatever bytes a broken child sends, the parent reads no further than the outcome.
static void refuses_what_is_no_outcome(void **state) {
  (void)state;
  assay_outcome outcome = {.verdict = ASSAY_FAIL, .worst = {.rank = 2, .part = "elsewhere"}};
  memset(outcome.reason, 'x', sizeof outcome.reason);
  memset(outcome.part, 'x', sizeof outcome.part);
  assert_true(assay_outcome_repair(&outcome));
  assert_int_equal(strlen(outcome.reason), sizeof outcome.reason - 1);
  assert_int_equal(strlen(outcome.worst.part), sizeof outcome.part - 1);
  outcome.worst.rank = ASSAY_RECORD_MAX_RANK + 1;
  assert_false(assay_outcome_repair(&outcome));
  outcome.worst.rank = -1;
  assert_false(assay_outcome_repair(&outcome));
  outcome.worst.rank = 0;
  outcome.verdict = ASSAY_VERDICT_COUNT;
  assert_false(assay_outcome_repair(&outcome));
}

static const char *verdict_with_gap(assay_arena *arena, assay_verdict verdict,
                                    const char **out_reason) {
  const assay_case the_case = {.op = &op, .line = "matmul m=3"};
  const assay_job job = {.a_case = &the_case, .opened = &opened, .data = "int", .gap = "later"};
  assay_outcome outcome;
  assay_outcome_set(&outcome, verdict, "%s", verdict == ASSAY_PASS ? "" : "why");
  const assay_record *record = assay_outcome_record(arena, &job, &outcome, "now", NULL);
  *out_reason = record->reason;
  return assay_verdict_name(record->verdict);
}

static void maps_known_gaps(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  const char *reason;
  assert_string_equal(verdict_with_gap(arena, ASSAY_PASS, &reason), "XPASS");
  assert_string_equal(reason, "passed, but is a known gap: later");
  assert_string_equal(verdict_with_gap(arena, ASSAY_TIMEOUT, &reason), "XFAIL");
  assert_string_equal(reason, "known gap: later (TIMEOUT: why)");
  assert_string_equal(verdict_with_gap(arena, ASSAY_FAIL, &reason), "XFAIL");
  assert_string_equal(verdict_with_gap(arena, ASSAY_ERROR, &reason), "XFAIL");
  assert_string_equal(verdict_with_gap(arena, ASSAY_CRASH, &reason), "XFAIL");
  assert_string_equal(verdict_with_gap(arena, ASSAY_SKIP, &reason), "SKIP");
  assert_string_equal(reason, "why");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gives_a_command_that_a_shell_takes),
      cmocka_unit_test(cuts_a_long_reason),
      cmocka_unit_test(refuses_what_is_no_outcome),
      cmocka_unit_test(maps_known_gaps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
