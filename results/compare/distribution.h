// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distributions of rank statistics where no two values are equal.
#ifndef ASSAY_RESULTS_COMPARE_DISTRIBUTION_H
#define ASSAY_RESULTS_COMPARE_DISTRIBUTION_H

#include "results/compare/statistics.h"

// Probabilities of the values 0 .. largest of one statistic, and the critical value last asked for.
typedef struct assay_distribution {
  double *mass; // NULL: not made yet
  size_t largest;
  double alpha;    // 0: none was asked for
  size_t critical; // at alpha / 2
} assay_distribution;

struct assay_statistics {
  assay_arena *arena;
  assay_distribution signed_rank[ASSAY_SIGNED_RANK_EXACT + 1];
  assay_distribution rank_sum[ASSAY_RANK_SUM_EXACT + 1][ASSAY_RANK_SUM_EXACT + 1];
  double *values; // scratch: sorted values and their likes
  size_t *places; // scratch: windows of a selection
  size_t capacity;
};

// The largest k for which P(statistic <= k - 1) <= alpha / 2, 0 where there is none: the k-th
// smallest and the k-th largest average (or difference) then bound an interval of level 1 - alpha.
size_t assay_signed_rank_critical(assay_statistics *statistics, size_t n, double alpha);
size_t assay_sign_critical(size_t n, double alpha);
size_t assay_rank_sum_critical(assay_statistics *statistics, size_t m, size_t n, double alpha);

// P(B <= k) of a binomial distribution of n with probability 1/2; 0 below 0.
double assay_sign_below(size_t n, double k);

// P(Z <= z) of the standard normal distribution.
double assay_normal_below(double z);

#endif
