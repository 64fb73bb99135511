// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distribution-free statistics of two groups of measurements: tests by ranks, and the estimates and
// intervals that belong to them. Nothing is assumed of the shape of the noise.
//
// Sources: M. Hollander, D. A. Wolfe, E. Chicken, Nonparametric Statistical Methods, 3rd ed., 2014:
// sections 3.1 to 3.6 (signed ranks, Walsh averages, signs) and 4.1 to 4.3 (rank sums,
// differences); the recurrences are those of F. Wilcoxon, 1945, and of H. B. Mann and D. R.
// Whitney, 1947.
#ifndef ASSAY_RESULTS_COMPARE_STATISTICS_H
#define ASSAY_RESULTS_COMPARE_STATISTICS_H

#include "compiler/base/arena.h"

#include <stdbool.h>

// Up to these sizes the distributions are exact where no two values are equal; above them they are
// normal, with a continuity correction.
enum { ASSAY_SIGNED_RANK_EXACT = 100, ASSAY_RANK_SUM_EXACT = 50, ASSAY_SIGN_EXACT = 1000 };

// Distributions that were asked for, and scratch memory: one for each comparison, in its arena.
typedef struct assay_statistics assay_statistics;
assay_statistics *assay_statistics_create(assay_arena *arena);

// The median: of an even count the mean of the middle two. NaN of no values.
double assay_median(assay_statistics *statistics, const double values[], size_t count);

typedef struct assay_rank_test {
  double
      statistic; // signed ranks: T+, the sum of the positive ones; rank sums: U, pairs with y > x
  double p;      // two-sided; 1 where there is nothing to rank
} assay_rank_test;

// Wilcoxon's signed-rank test of values that are symmetric about 0. Zeros are left out; with zeros
// or ties the distribution is normal, its variance corrected for ties.
assay_rank_test assay_signed_rank_test(assay_statistics *statistics, const double values[],
                                       size_t count);
// Mann and Whitney's test of two samples of one distribution; with ties as above.
assay_rank_test assay_rank_sum_test(assay_statistics *statistics, const double x[], size_t x_count,
                                    const double y[], size_t y_count);

// The sign test: how many values are above 0, zeros left out.
assay_rank_test assay_sign_test(const double values[], size_t count);

// P(T+ <= t) of n values, and P(U <= u) of m and n; 0 below 0.
double assay_signed_rank_below(assay_statistics *statistics, size_t n, double t);
double assay_rank_sum_below(assay_statistics *statistics, size_t m, size_t n, double u);

// An estimate and an interval that holds the truth with a probability of at least 1 - alpha,
// whatever the ties; [-inf, inf] where the sample is too small for that.
typedef struct assay_interval {
  double estimate, low, high;
} assay_interval;

// Where the values lie: Hodges and Lehmann's median of the Walsh averages (d_i + d_j) / 2, i <= j,
// with Tukey's interval, two of these averages. count > 0.
assay_interval assay_signed_rank_interval(assay_statistics *statistics, const double values[],
                                          size_t count, double alpha);
// The same by signs alone: the median, between two of the values (W. R. Thompson, On confidence
// ranges for the median, Ann. Math. Stat. 7, 1936).
assay_interval assay_sign_interval(assay_statistics *statistics, const double values[],
                                   size_t count, double alpha);
// What both say at half of alpha each: signed ranks are the sharper where noise has no long tails,
// signs where some values are far off, which ranks weigh most. The estimate is that of the signed
// ranks, or the bound nearest to it. Where the two have nothing in common, which symmetric values
// hardly show, the interval holds both.
assay_interval assay_paired_interval(assay_statistics *statistics, const double values[],
                                     size_t count, double alpha);
// How much y lies above x: the median of all differences y_j - x_i, with Moses's interval, two of
// these differences. Both counts > 0.
assay_interval assay_rank_sum_interval(assay_statistics *statistics, const double x[],
                                       size_t x_count, const double y[], size_t y_count,
                                       double alpha);

// The least number of pairs, and of values in each of two samples, for which an interval at that
// level is finite.
size_t assay_paired_needs(double alpha);
size_t assay_rank_sum_needs(double alpha);

#endif
