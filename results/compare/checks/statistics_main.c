// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers what statistics_check.py asks, a line each: "ALPHA M N VALUE...", M values of x, then N
// of y; N = 0: signed ranks of x. Out come the statistic, p, estimate, low and high, and of signed
// ranks the same of signs, and the interval of both.
#include "compiler/base/file.h"
#include "results/compare/statistics.h"

#include <stdio.h>
#include <stdlib.h>

static void print(assay_rank_test test, assay_interval found) {
  printf("%.17g %.17g %.17g %.17g %.17g", test.statistic, test.p, found.estimate, found.low,
         found.high);
}

static void answer(assay_statistics *statistics, double alpha, const double x[], size_t m,
                   size_t n) {
  const double *y = x + m;
  if (n > 0) {
    print(assay_rank_sum_test(statistics, x, m, y, n),
          assay_rank_sum_interval(statistics, x, m, y, n, alpha));
    putchar('\n');
    return;
  }
  print(assay_signed_rank_test(statistics, x, m),
        assay_signed_rank_interval(statistics, x, m, alpha));
  putchar(' ');
  print(assay_sign_test(x, m), assay_sign_interval(statistics, x, m, alpha));
  assay_interval both = assay_paired_interval(statistics, x, m, alpha);
  printf(" %.17g %.17g\n", both.low, both.high);
}

int main(void) {
  assay_arena *arena = assay_arena_create();
  assay_statistics *statistics = assay_statistics_create(arena);
  assay_file file = {.bytes = ""};
  assay_error err;
  bool read = assay_file_read(arena, "-", &file, &err) == ASSAY_OK;
  char *end = NULL;
  for (const char *next = file.bytes; read; next = end) {
    double alpha = strtod(next, &end);
    if (end == next)
      break;
    size_t m = strtoul(end, &end, 10), n = strtoul(end, &end, 10);
    double *values = assay_arena_take(arena, m + n, sizeof *values);
    for (size_t i = 0; i < m + n; i++)
      values[i] = strtod(end, &end);
    answer(statistics, alpha, values, m, n);
  }
  assay_arena_destroy(arena);
  return read ? EXIT_SUCCESS : EXIT_FAILURE;
}
