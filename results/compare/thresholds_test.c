// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/thresholds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char matmul[] = "matmul m=3 k=5 n=7 data=int backend=blas";
static const char numpy[] = "matmul m=3 k=5 n=7 data=int backend=numpy";

static int set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

static assay_code read_text(void **state, const char *text, const assay_thresholds **out_thresholds,
                            assay_error *err) {
  assay_file file = {.path = "my.thresholds", .bytes = text, .size = strlen(text)};
  return assay_thresholds_read(*state, &file, out_thresholds, err);
}

static const assay_thresholds *read_well(void **state, const char *text) {
  const assay_thresholds *thresholds = NULL;
  assay_error err = {.text = ""};
  assay_code code = read_text(state, text, &thresholds, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  return thresholds;
}

static void assert_refused(void **state, const char *text, const char *where, const char *why) {
  const assay_thresholds *thresholds;
  assay_error err;
  assert_int_equal(read_text(state, text, &thresholds, &err), ASSAY_INVALID);
  assert_string_equal(err.where, where);
  assert_string_equal(err.text, why);
}

static void the_built_in_ones_are_complete(void **state) {
  const assay_thresholds *thresholds = NULL;
  assay_error err;
  assert_int_equal(assay_thresholds_read(*state, NULL, &thresholds, &err), ASSAY_OK);
  assay_alarm_limits alarm = assay_thresholds_alarm(thresholds);
  assert_true(alarm.alarm_rate == 0.01 && alarm.row_alarm_rate > 0 && alarm.peak_difference > 0);
  assay_limits limits = assay_thresholds_of(thresholds, matmul);
  assert_true(limits.run.paired.effect == 0.01 && limits.run.unpaired.effect == 0.1);
  assert_true(limits.compile.paired.same == 0.03 && limits.compile.unpaired.same == 0.1);
  assert_true(limits.run.gate && limits.compile.gate && limits.margin_gate);
  assert_true(limits.verdict_gate && limits.vanished_gate && limits.vanished_kind_gate);
  assert_true(limits.margin_factor == 2 && limits.margin_floor > 0 && limits.margin_gate_above > 0);
  assert_int_equal(assay_thresholds_counter(thresholds, matmul, "object_bytes").gate,
                   ASSAY_COUNTER_MORE);
  assert_int_equal(assay_thresholds_counter(thresholds, matmul, "blas_calls").gate,
                   ASSAY_COUNTER_CHANGE);
}

static void peers_only_inform(void **state) {
  const assay_thresholds *thresholds = read_well(state, "");
  assay_limits limits = assay_thresholds_of(thresholds, numpy);
  assert_false(limits.run.gate || limits.compile.gate || limits.vanished_gate);
  assert_true(limits.verdict_gate);
  assert_int_equal(assay_thresholds_counter(thresholds, numpy, "blas_calls").gate,
                   ASSAY_COUNTER_NO);
}

static void a_file_sets_what_it_says_and_leaves_the_rest(void **state) {
  const assay_thresholds *thresholds =
      read_well(state, "# ours\r\n  run.paired.effect=0.5%  # half\nalarm-rate = 5 %\n\n"
                       "counter.effect = 2 %\n");
  assay_limits limits = assay_thresholds_of(thresholds, matmul);
  assert_true(limits.run.paired.effect == 0.005 && limits.compile.paired.effect == 0.01);
  assert_true(assay_thresholds_alarm(thresholds).alarm_rate == 0.05);
  assert_true(assay_thresholds_counter(thresholds, matmul, "heap").effect == 0.02);
}

static void patterns_are_globs_or_beginnings_in_whole_words(void **state) {
  const assay_thresholds *thresholds =
      read_well(state, "[matmul m=3]\nrun.gate = no\n[*backend=blas]\ncompile.gate = no\n"
                       "[matmul m=33*]\nmargin.gate = no\n");
  assay_limits limits = assay_thresholds_of(thresholds, matmul);
  assert_false(limits.run.gate || limits.compile.gate);
  assert_true(limits.margin_gate);
  limits = assay_thresholds_of(thresholds, "matmul m=33 k=5 n=7 data=int backend=loop");
  assert_true(limits.run.gate && limits.compile.gate);
  assert_false(limits.margin_gate);
}

static void the_last_line_counts(void **state) {
  const assay_thresholds *thresholds = read_well(
      state,
      "counter.gate = no\ncounter.heap.peak.gate = less\n[* backend=numpy]\nrun.gate = yes\n");
  assert_int_equal(assay_thresholds_counter(thresholds, matmul, "blas_calls").gate,
                   ASSAY_COUNTER_NO);
  assert_int_equal(assay_thresholds_counter(thresholds, matmul, "heap.peak").gate,
                   ASSAY_COUNTER_LESS);
  assert_true(assay_thresholds_of(thresholds, numpy).run.gate);
  assert_false(assay_thresholds_of(thresholds, numpy).compile.gate);
}

static void bad_lines_are_named(void **state) {
  assert_refused(state, "\nrun.paired.efect = 1 %", "my.thresholds:2",
                 "unknown setting 'run.paired.efect'; did you mean 'run.paired.effect'?");
  assert_refused(
      state, "x = 1", "my.thresholds:1",
      "unknown setting 'x'; those there are stand in results/compare/default.thresholds");
  assert_refused(state, "counter.heap.colour = red", "my.thresholds:1",
                 "unknown setting 'counter.heap.colour'; those there are stand in "
                 "results/compare/default.thresholds");
  assert_refused(state, "run.paired.effect = 1", "my.thresholds:1",
                 "run.paired.effect: expected a percentage such as 1 %, found '1'");
  assert_refused(state, "run.paired.effect = -1 %", "my.thresholds:1",
                 "run.paired.effect: expected a percentage such as 1 %, found '-1 %'");
  assert_refused(state, "run.paired.effect = 1 % %", "my.thresholds:1",
                 "run.paired.effect: expected a percentage such as 1 %, found '1 % %'");
  assert_refused(state, "alarm-rate = 0 %", "my.thresholds:1",
                 "alarm-rate: expected a percentage above 0 and below 50, found '0 %'");
  assert_refused(state, "margin.floor = 0x10", "my.thresholds:1",
                 "margin.floor: expected a number such as 0.5, found '0x10'");
  assert_refused(state, "run.paired.effect = 0x1 %", "my.thresholds:1",
                 "run.paired.effect: expected a percentage such as 1 %, found '0x1 %'");
  assert_refused(state, "margin.factor = 1", "my.thresholds:1",
                 "margin.factor: expected a factor above 1, found '1'");
  assert_refused(state, "margin.floor = nan", "my.thresholds:1",
                 "margin.floor: expected a number such as 0.5, found 'nan'");
  assert_refused(state, "run.gate = maybe", "my.thresholds:1",
                 "run.gate: expected yes or no, found 'maybe'");
  assert_refused(state, "counter.gate = yes", "my.thresholds:1",
                 "counter.gate: expected more, less, change or no, found 'yes'");
  assert_refused(state, "run.gate", "my.thresholds:1",
                 "expected SETTING = VALUE, found 'run.gate'");
  assert_refused(state, "[matmul", "my.thresholds:1", "expected [PATTERN], found '[matmul'");
  assert_refused(state, "[]", "my.thresholds:1", "expected [PATTERN], found '[]'");
  assert_refused(state, "[*]\nalarm-rate = 1 %", "my.thresholds:2",
                 "alarm-rate stands for the whole comparison, not for the cases of a [PATTERN]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_built_in_ones_are_complete),
      cmocka_unit_test(peers_only_inform),
      cmocka_unit_test(a_file_sets_what_it_says_and_leaves_the_rest),
      cmocka_unit_test(patterns_are_globs_or_beginnings_in_whole_words),
      cmocka_unit_test(the_last_line_counts),
      cmocka_unit_test(bad_lines_are_named),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
