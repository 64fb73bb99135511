// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against published tables and worked examples; checks/statistics_check.py asks SciPy.
#include "results/compare/distribution.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double tolerance) {
  if (!(fabs(found - expected) <= tolerance))
    fail_msg("found %.17g, expected %.17g", found, expected);
}

static int set_up(void **state) {
  *state = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  assay_arena_destroy(*state);
  return 0;
}

// The largest T with two-sided significance of at most 0.05; S. Siegel, Nonparametric Statistics,
// 1956, table G (F. Wilcoxon, R. A. Wilcox, Some Rapid Approximate Statistical Procedures, 1964).
static void signed_ranks_have_the_critical_values_of_the_tables(void **state) {
  static const size_t table[] = {[6] = 0,   [7] = 2,   [8] = 3,   [9] = 5,   [10] = 8,
                                 [11] = 10, [12] = 13, [13] = 17, [14] = 21, [15] = 25,
                                 [16] = 29, [17] = 34, [18] = 40, [19] = 46, [20] = 52,
                                 [21] = 58, [22] = 65, [23] = 73, [24] = 81, [25] = 89};
  assay_statistics *statistics = assay_statistics_create(*state);
  assert_int_equal(assay_signed_rank_critical(statistics, 5, 0.05), 0);
  for (size_t n = 6; n <= 25; n++)
    assert_int_equal(assay_signed_rank_critical(statistics, n, 0.05), table[n] + 1);
}

// The largest U with two-sided significance of at most 0.05; Siegel, table K (D. Auble, 1953).
static void rank_sums_have_the_critical_values_of_the_tables(void **state) {
  static const size_t table[][3] = {{5, 5, 2},  {6, 6, 5},    {7, 7, 8},    {8, 8, 13},
                                    {9, 9, 17}, {10, 10, 23}, {15, 15, 64}, {20, 20, 127},
                                    {5, 10, 8}, {10, 20, 55}, {12, 9, 26},  {18, 13, 67}};
  assay_statistics *statistics = assay_statistics_create(*state);
  assert_int_equal(assay_rank_sum_critical(statistics, 3, 3, 0.05), 0);
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    assert_int_equal(assay_rank_sum_critical(statistics, table[i][0], table[i][1], 0.05),
                     table[i][2] + 1);
}

// The most values of the rarer sign with two-sided significance of at most 0.05; W. H. Beyer, CRC
// Handbook of Tables for Probability and Statistics, 1968, table X.2.
static void signs_have_the_critical_values_of_the_tables(void **state) {
  (void)state;
  static const size_t table[][2] = {{6, 0},  {8, 0},  {9, 1},  {11, 1}, {12, 2},  {15, 3},
                                    {17, 4}, {20, 5}, {25, 7}, {30, 9}, {40, 13}, {50, 17}};
  assert_int_equal(assay_sign_critical(5, 0.05), 0);
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    assert_int_equal(assay_sign_critical(table[i][0], 0.05), table[i][1] + 1);
}

// Two of twelve pairs are far off, to either side: signs bound closely, ranks do not.
static void long_tails_do_not_blur_pairs(void **state) {
  static const double values[] = {2.9,  3.1,  3,  2.8, 3.2,  3.05, 2.95, 3.15,
                                  2.85, 3.02, 40, -35, 3.01, 3.03, 2.99, 2.97};
  enum { COUNT = sizeof values / sizeof values[0] };
  assay_statistics *statistics = assay_statistics_create(*state);
  assay_interval ranks = assay_signed_rank_interval(statistics, values, COUNT, 0.001);
  assay_interval both = assay_paired_interval(statistics, values, COUNT, 0.002);
  assert_true(ranks.low < 0);
  assert_near(both.low, 2.8, 0);
  assert_near(both.estimate, 3, 0.05);
  assert_true(both.high <= ranks.high);
}

// Hollander, Wolfe, Chicken, section 3.1: Hamilton depression scale of nine patients, before and
// after; the worked example's T+ = 5, its estimate and its interval of 96 %.
static void pairs_of_the_textbook(void **state) {
  static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  static const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  double change[9];
  for (int i = 0; i < 9; i++)
    change[i] = after[i] - before[i];
  assay_statistics *statistics = assay_statistics_create(*state);
  assay_rank_test test = assay_signed_rank_test(statistics, change, 9);
  assert_near(test.statistic, 5, 0);
  assert_near(test.p, 20.0 / 512, 1e-12);
  assay_interval interval = assay_signed_rank_interval(statistics, change, 9, 0.05);
  assert_near(interval.estimate, -0.46, 1e-9);
  assert_near(interval.low, -0.786, 1e-9);
  assert_near(interval.high, -0.010, 1e-9);
}

// The same, section 4.1: permeability of membranes at term and earlier.
static void samples_of_the_textbook(void **state) {
  static const double term[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};
  assay_statistics *statistics = assay_statistics_create(*state);
  assay_rank_test test = assay_rank_sum_test(statistics, term, 10, early, 5);
  assert_near(test.statistic, 15, 0);
  assert_near(test.p, 0.2544, 5e-5);
  assay_interval interval = assay_rank_sum_interval(statistics, term, 10, early, 5, 0.05);
  assert_near(interval.estimate, -0.305, 1e-9);
  assert_near(interval.low, -0.76, 1e-9);
  assert_near(interval.high, 0.15, 1e-9);
}

// Exact and normal meet where the one gives way to the other.
static void the_normal_distribution_goes_on_where_the_exact_one_ends(void **state) {
  assay_statistics *statistics = assay_statistics_create(*state);
  size_t exact = assay_signed_rank_critical(statistics, ASSAY_SIGNED_RANK_EXACT, 0.001);
  size_t normal = assay_signed_rank_critical(statistics, ASSAY_SIGNED_RANK_EXACT + 1, 0.001);
  assert_in_range(normal - exact, 20, 40); // the mean grows by 50, and what is taken off by 1.5 %
  assert_near(assay_signed_rank_below(statistics, 101, 2575), 0.5, 0.001);
  assert_near(assay_rank_sum_below(statistics, 51, 51, 1300), 0.5, 0.002);
  assert_near(assay_rank_sum_below(statistics, 50, 50, 50 * 50), 1, 1e-12);
}

static void small_samples_bound_nothing(void **state) {
  static const double values[] = {1, 2, 3, 4, 5};
  assay_statistics *statistics = assay_statistics_create(*state);
  assert_int_equal(assay_paired_needs(0.05), 7);
  assert_int_equal(assay_rank_sum_needs(0.05), 4);
  assay_interval interval = assay_signed_rank_interval(statistics, values, 5, 0.05);
  assert_true(isinf(interval.low) && interval.low < 0 && isinf(interval.high));
  assert_near(interval.estimate, 3, 0);
  interval = assay_rank_sum_interval(statistics, values, 3, values, 3, 0.05);
  assert_true(isinf(interval.low) && isinf(interval.high));
  double alpha = 0.1;
  for (int i = 0; i < 17; i++, alpha /= 3) {
    size_t pairs = assay_paired_needs(alpha), each = assay_rank_sum_needs(alpha);
    assert_true(assay_signed_rank_critical(statistics, pairs, alpha / 2) > 0);
    assert_int_equal(assay_signed_rank_critical(statistics, pairs - 1, alpha / 2), 0);
    assert_true(assay_sign_critical(pairs, alpha / 2) > 0);
    assert_int_equal(assay_sign_critical(pairs - 1, alpha / 2), 0);
    assert_true(assay_rank_sum_critical(statistics, each, each, alpha) > 0);
    assert_int_equal(assay_rank_sum_critical(statistics, each - 1, each - 1, alpha), 0);
  }
}

static void nothing_to_rank_is_no_difference(void **state) {
  static const double zeros[] = {0, 0, 0};
  assay_statistics *statistics = assay_statistics_create(*state);
  assert_near(assay_signed_rank_test(statistics, zeros, 3).p, 1, 0);
  assert_near(assay_rank_sum_test(statistics, zeros, 3, zeros, 3).p, 1, 0);
  assert_near(assay_rank_sum_test(statistics, zeros, 0, zeros, 3).p, 1, 0);
  assert_true(isnan(assay_median(statistics, zeros, 0)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signed_ranks_have_the_critical_values_of_the_tables),
      cmocka_unit_test(rank_sums_have_the_critical_values_of_the_tables),
      cmocka_unit_test(signs_have_the_critical_values_of_the_tables),
      cmocka_unit_test(long_tails_do_not_blur_pairs),
      cmocka_unit_test(pairs_of_the_textbook),
      cmocka_unit_test(samples_of_the_textbook),
      cmocka_unit_test(the_normal_distribution_goes_on_where_the_exact_one_ends),
      cmocka_unit_test(small_samples_bound_nothing),
      cmocka_unit_test(nothing_to_rank_is_no_difference),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
