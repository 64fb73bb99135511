// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers what statistics_check.py asks, a line each: "ALPHA M N VALUE...", M values of x, then N
// of y; N = 0: signed ranks of x. Out come the statistic, p, estimate, low and high.
#include "results/compare/statistics.h"

#include <stdio.h>
#include <stdlib.h>

static void answer(assay_arena *arena, assay_statistics *statistics, double alpha, size_t m,
                   size_t n) {
  double *values = assay_arena_take(arena, m + n, sizeof *values);
  for (size_t i = 0; i < m + n; i++)
    if (scanf("%lf", &values[i]) != 1)
      exit(EXIT_FAILURE);
  const double *y = values + m;
  assay_rank_test test = n == 0 ? assay_signed_rank_test(statistics, values, m)
                                : assay_rank_sum_test(statistics, values, m, y, n);
  assay_interval found = n == 0 ? assay_signed_rank_interval(statistics, values, m, alpha)
                                : assay_rank_sum_interval(statistics, values, m, y, n, alpha);
  printf("%.17g %.17g %.17g %.17g %.17g\n", test.statistic, test.p, found.estimate, found.low,
         found.high);
}

int main(void) {
  assay_arena *arena = assay_arena_create();
  assay_statistics *statistics = assay_statistics_create(arena);
  double alpha;
  size_t m, n;
  while (scanf("%lf %zu %zu", &alpha, &m, &n) == 3)
    answer(arena, statistics, alpha, m, n);
  assay_arena_destroy(arena);
  return EXIT_SUCCESS;
}
