// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/compare_testing.h"

static void timings_that_vanish(void **state) {
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 1, 1);
  new.run_sample_count = 0;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_VANISHED, true, true);
  assert_true(find(found, "k", "run")->base_value > 0 && isnan(find(found, "k", "run")->new_value));
  assert_int_equal(found->timings, 0);
  assert_null(find(found, "k", "compile"));
  new.verdict = ASSAY_FAIL; // a wrong answer is never timed
  assert_null(find(compare(*state, &base, 1, &new, 1, false), "k", "run"));
}

static void timings_by_samples(void **state) {
  assay_record base = bench(*state, "k", 1, 0);
  static const struct {
    double factor;
    assay_change unpaired, paired;
  } table[] = {{1, ASSAY_SAME, ASSAY_SAME},          {1.03, ASSAY_SAME, ASSAY_SLOWER},
               {1 / 1.03, ASSAY_SAME, ASSAY_FASTER}, {1.2, ASSAY_SLOWER, ASSAY_SLOWER},
               {0.8, ASSAY_FASTER, ASSAY_FASTER},    {1.05, ASSAY_SAME, ASSAY_SLOWER},
               {1.01, ASSAY_SAME, ASSAY_SAME}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assay_record new = bench(*state, "k", table[i].factor, 1);
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    bool slower = table[i].unpaired == ASSAY_SLOWER;
    assert_row(found, "k", "run", table[i].unpaired, slower, slower);
    const assay_comparison_row *row = find(found, "k", "run");
    assert_true(row->low <= row->ratio && row->ratio <= row->high);
    assert_true(fabs(row->ratio - table[i].factor) < 0.01);
    assert_true(row->ratio == row->new_value / row->base_value);
    // Pairs: both have the same noise.
    new = bench(*state, "k", table[i].factor, 0);
    found = compare(*state, &base, 1, &new, 1, true);
    slower = table[i].paired == ASSAY_SLOWER;
    assert_row(found, "k", "run", table[i].paired, slower, slower);
    assert_true(found->false_alarm_rate > 0 && found->false_alarm_rate <= 0.01);
    assert_non_null(strstr(print(*state, found, false), "the median of the pairs' own ratios"));
  }
}

static void few_or_bad_samples_tell_nothing(void **state) {
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
  base.run_sample_count = new.run_sample_count = 3;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, true);
  assert_row(found, "k", "run", ASSAY_UNSURE, false, false);
  assert_string_equal(find(found, "k", "run")->reason,
                      "3 pairs; at this false-alarm rate it takes 13");
  assert_true(find(found, "k", "run")->low == 0 && isinf(find(found, "k", "run")->high));
  ((double *)new.run_samples)[1] = 0;
  found = compare(*state, &base, 1, &new, 1, true);
  assert_string_equal(find(found, "k", "run")->reason,
                      "there are samples that are no times above 0");
  base.run_sample_count = 0;
  assert_null(find(compare(*state, &base, 1, &new, 1, true), "k", "run"));
}

// A neighbour that slows all but a few runs of one side is no change of the program.
static void a_disturbed_machine_is_not_slower(void **state) {
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 1.5, 0);
  ((double *)new.run_samples)[7] /= 1.5;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_UNSURE, false, false);
  assert_row(compare(*state, &new, 1, &base, 1, false), "k", "run", ASSAY_UNSURE, false, false);
  // Side by side both would have been disturbed.
  assert_row(compare(*state, &base, 1, &new, 1, true), "k", "run", ASSAY_SLOWER, true, true);
}

// Each is within its band, and all of them together are not.
static void timings_that_move_together(void **state) {
  enum { CASES = 50 };
  assay_record base[CASES], new[CASES];
  for (int i = 0; i < CASES; i++) {
    const char *key = assay_arena_format(*state, "k%03d", i);
    base[i] = bench(*state, key, 1, i);
    new[i] = bench(*state, key, 1.05, i + 1);
  }
  const assay_comparison *found = compare(*state, base, CASES, new, CASES, false);
  assert_int_equal(found->worse, 0);
  assert_int_equal(found->run_shift.count, CASES);
  assert_int_equal(found->compile_shift.count, 0);
  assert_non_null(strstr(print(*state, found, false), "run: median of 50 ratios: +5.0 %, 50 of "));
  // Few, or both ways: nothing is said.
  assert_int_equal(compare(*state, base, 5, new, 5, false)->run_shift.count, 0);
  for (int i = 0; i < CASES; i += 4)
    new[i] = bench(*state, new[i].key, 0.95, i + 1);
  found = compare(*state, base, CASES, new, CASES, false);
  assert_int_equal(found->run_shift.count, 0);
  assert_null(strstr(print(*state, found, false), "ratios"));
  // Another machine explains it.
  assay_environment other = machine;
  other.cpu = "Another";
  for (int i = 0; i < CASES; i++) {
    new[i] = bench(*state, new[i].key, 1.05, i + 1);
    new[i].environment = &other;
  }
  assert_int_equal(compare(*state, base, CASES, new, CASES, false)->run_shift.count, 0);
}

// The more rows, the wider each interval, so that the rate is that of all together.
static void rows_share_the_false_alarm_rate(void **state) {
  enum { CASES = 100 };
  assay_record base[CASES], new[CASES];
  for (int i = 0; i < CASES; i++) {
    const char *key = assay_arena_format(*state, "k%03d", i);
    base[i] = bench(*state, key, 1, i);
    new[i] = bench(*state, key, 1, i + 1);
  }
  const assay_comparison *one = compare(*state, base, 1, new, 1, false);
  const assay_comparison *all = compare(*state, base, CASES, new, CASES, false);
  assert_int_equal(all->timings, CASES);
  assert_true(fabs(all->false_alarm_rate - 0.01) < 1e-12);
  assert_true(one->false_alarm_rate < 0.01);
  assert_true(find(all, "k000", "run")->high > find(one, "k000", "run")->high);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(timings_that_vanish),
      cmocka_unit_test(timings_by_samples),
      cmocka_unit_test(few_or_bad_samples_tell_nothing),
      cmocka_unit_test(a_disturbed_machine_is_not_slower),
      cmocka_unit_test(timings_that_move_together),
      cmocka_unit_test(rows_share_the_false_alarm_rate),
  };
  return cmocka_run_group_tests(tests, compare_set_up, compare_tear_down);
}
