// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/statistics.h"

#include "results/compare/distribution.h"
#include "results/compare/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// By magnitude, for signed ranks.
static int by_magnitude(const void *a, const void *b) {
  double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
  return (x > y) - (x < y);
}

// Scratch of that many values, and four times as many places; valid until the next call.
static double *scratch(assay_statistics *statistics, size_t count) {
  if (count > statistics->capacity) {
    statistics->capacity = 2 * count;
    statistics->values =
        assay_arena_take(statistics->arena, statistics->capacity, sizeof *statistics->values);
    statistics->places =
        assay_arena_take(statistics->arena, 4 * statistics->capacity, sizeof *statistics->places);
  }
  return statistics->values;
}

// Samples are few, and there may be a hundred thousand rows of them: by insertion the few are
// sorted ten times as fast as through a function.
static void sort(double *values, size_t count) {
  enum { FEW = 40 };
  if (count > FEW) {
    qsort(values, count, sizeof *values, by_value);
    return;
  }
  for (size_t i = 1; i < count; i++) {
    double value = values[i];
    size_t k = i;
    for (; k > 0 && values[k - 1] > value; k--)
      values[k] = values[k - 1];
    values[k] = value;
  }
}

static void copy_sorted(double *to, const double from[], size_t count) {
  memcpy(to, from, count * sizeof *to);
  sort(to, count);
}

double assay_median(assay_statistics *statistics, const double values[], size_t count) {
  if (count == 0)
    return NAN;
  double *sorted = scratch(statistics, count);
  copy_sorted(sorted, values, count);
  return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

// Two-sided, of a statistic whose value is whole or halves, by its normal distribution.
static double normal_p(double value, double mean, double variance) {
  double distance = fabs(value - mean) - 0.5;
  if (variance <= 0 || distance <= 0)
    return 1;
  return 2 * assay_normal_below(-distance / sqrt(variance));
}

// How far the tie group that starts at `first` goes.
static size_t tie_end(const double sorted[], size_t first, size_t count,
                      int (*compare)(const void *, const void *)) {
  size_t end = first + 1;
  while (end < count && compare(&sorted[first], &sorted[end]) == 0)
    end++;
  return end;
}

assay_rank_test assay_signed_rank_test(assay_statistics *statistics, const double values[],
                                       size_t count) {
  double *kept = scratch(statistics, count);
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (values[i] != 0)
      kept[n++] = values[i];
  if (n == 0)
    return (assay_rank_test){0, 1};
  qsort(kept, n, sizeof *kept, by_magnitude);
  double positive = 0, ties = 0;
  for (size_t first = 0, end; first < n; first = end) {
    end = tie_end(kept, first, n, by_magnitude);
    double rank = (double)(first + 1 + end) / 2, length = (double)(end - first);
    ties += length * (length * length - 1);
    for (size_t i = first; i < end; i++)
      positive += kept[i] > 0 ? rank : 0;
  }
  double size = (double)n, all = size * (size + 1) / 2;
  if (n == count && ties == 0 && n <= ASSAY_SIGNED_RANK_EXACT) {
    double p = 2 * assay_signed_rank_below(statistics, n, fmin(positive, all - positive));
    return (assay_rank_test){positive, fmin(p, 1)};
  }
  double variance = (size * (size + 1) * (2 * size + 1) - ties / 2) / 24;
  return (assay_rank_test){positive, normal_p(positive, all / 2, variance)};
}

assay_rank_test assay_sign_test(const double values[], size_t count) {
  size_t above = 0, n = 0;
  for (size_t i = 0; i < count; i++) {
    above += values[i] > 0;
    n += values[i] != 0;
  }
  size_t fewer = above < n - above ? above : n - above;
  return (assay_rank_test){(double)above, fmin(2 * assay_sign_below(n, (double)fewer), 1)};
}

// Sorted values of both samples by merging: sum of the ranks of y, and of the ties' t^3 - t.
static void rank_both(const double x[], size_t x_count, const double y[], size_t y_count,
                      double *out_ranks, double *out_ties) {
  size_t i = 0, j = 0;
  *out_ranks = *out_ties = 0;
  while (i < x_count || j < y_count) {
    double value = j == y_count || (i < x_count && x[i] < y[j]) ? x[i] : y[j];
    size_t before = i + j, ys = j;
    while (i < x_count && x[i] == value)
      i++;
    while (j < y_count && y[j] == value)
      j++;
    double length = (double)(i + j - before);
    *out_ranks += (double)(j - ys) * (double)(before + 1 + i + j) / 2;
    *out_ties += length * (length * length - 1);
  }
}

assay_rank_test assay_rank_sum_test(assay_statistics *statistics, const double x[], size_t x_count,
                                    const double y[], size_t y_count) {
  if (x_count == 0 || y_count == 0)
    return (assay_rank_test){0, 1};
  double *sorted = scratch(statistics, x_count + y_count), ranks, ties;
  copy_sorted(sorted, x, x_count);
  copy_sorted(sorted + x_count, y, y_count);
  rank_both(sorted, x_count, sorted + x_count, y_count, &ranks, &ties);
  double m = (double)x_count, n = (double)y_count, all = m + n;
  double u = ranks - n * (n + 1) / 2;
  if (ties == 0 && x_count <= ASSAY_RANK_SUM_EXACT && y_count <= ASSAY_RANK_SUM_EXACT) {
    double p = 2 * assay_rank_sum_below(statistics, x_count, y_count, fmin(u, m * n - u));
    return (assay_rank_test){u, fmin(p, 1)};
  }
  double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
  return (assay_rank_test){u, normal_p(u, m * n / 2, variance)};
}

// The median of the sums, and the critical-th from both ends.
static assay_interval bound(assay_statistics *statistics, const assay_sums *sums, size_t critical) {
  size_t *places = statistics->places;
  assay_interval interval = {assay_sums_median(sums, places), -INFINITY, INFINITY};
  if (critical > 0) {
    interval.low = assay_sums_select(sums, critical, places);
    interval.high = assay_sums_select(sums, assay_sums_count(sums) + 1 - critical, places);
  }
  return interval;
}

assay_interval assay_signed_rank_interval(assay_statistics *statistics, const double values[],
                                          size_t count, double alpha) {
  double *halves = scratch(statistics, count);
  copy_sorted(halves, values, count);
  for (size_t i = 0; i < count; i++)
    halves[i] /= 2;
  assay_sums averages = {halves, count, halves, count, .triangular = true};
  return bound(statistics, &averages, assay_signed_rank_critical(statistics, count, alpha));
}

assay_interval assay_sign_interval(assay_statistics *statistics, const double values[],
                                   size_t count, double alpha) {
  double *sorted = scratch(statistics, count);
  copy_sorted(sorted, values, count);
  size_t critical = assay_sign_critical(count, alpha);
  assay_interval interval = {(sorted[(count - 1) / 2] + sorted[count / 2]) / 2, -INFINITY,
                             INFINITY};
  if (critical > 0) {
    interval.low = sorted[critical - 1];
    interval.high = sorted[count - critical];
  }
  return interval;
}

assay_interval assay_paired_interval(assay_statistics *statistics, const double values[],
                                     size_t count, double alpha) {
  assay_interval ranks = assay_signed_rank_interval(statistics, values, count, alpha / 2);
  assay_interval signs = assay_sign_interval(statistics, values, count, alpha / 2);
  bool apart = fmax(ranks.low, signs.low) > fmin(ranks.high, signs.high);
  assay_interval both = {ranks.estimate,
                         apart ? fmin(ranks.low, signs.low) : fmax(ranks.low, signs.low),
                         apart ? fmax(ranks.high, signs.high) : fmin(ranks.high, signs.high)};
  both.estimate = fmin(fmax(both.estimate, both.low), both.high);
  return both;
}

assay_interval assay_rank_sum_interval(assay_statistics *statistics, const double x[],
                                       size_t x_count, const double y[], size_t y_count,
                                       double alpha) {
  double *negated = scratch(statistics, x_count + y_count), *sorted = negated + x_count;
  for (size_t i = 0; i < x_count; i++)
    negated[i] = -x[i];
  sort(negated, x_count);
  copy_sorted(sorted, y, y_count);
  assay_sums differences = {negated, x_count, sorted, y_count, .triangular = false};
  return bound(statistics, &differences,
               assay_rank_sum_critical(statistics, x_count, y_count, alpha));
}
