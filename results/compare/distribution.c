// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/distribution.h"

#include <math.h>

assay_statistics *assay_statistics_create(assay_arena *arena) {
  assay_statistics *statistics = assay_arena_take(arena, 1, sizeof *statistics);
  statistics->arena = arena;
  return statistics;
}

double assay_normal_below(double z) {
  return 0.5 * erfc(-z / sqrt(2));
}

static void start(assay_statistics *statistics, assay_distribution *made, size_t largest) {
  made->largest = largest;
  made->mass = assay_arena_take(statistics->arena, largest + 1, sizeof *made->mass);
}

// The rank n is positive with probability 1/2, whatever the others are. Only sums of positive
// numbers: each mass is right to a few units of its last place.
static assay_distribution *signed_rank(assay_statistics *statistics, size_t n) {
  for (size_t i = 0; i <= n; i++) {
    assay_distribution *made = &statistics->signed_rank[i];
    if (made->mass != NULL)
      continue;
    start(statistics, made, i * (i + 1) / 2);
    if (i == 0)
      made->mass[0] = 1;
    const assay_distribution *before = i > 0 ? &statistics->signed_rank[i - 1] : NULL;
    for (size_t t = 0; before != NULL && t <= before->largest; t++) {
      made->mass[t] += before->mass[t] / 2;
      made->mass[t + i] += before->mass[t] / 2;
    }
  }
  return &statistics->signed_rank[n];
}

// The largest of all m + n values is an x with probability m / (m + n), and is then above n of y.
static assay_distribution *rank_sum(assay_statistics *statistics, size_t m, size_t n) {
  for (size_t i = 0; i <= m; i++) {
    for (size_t j = 0; j <= n; j++) {
      assay_distribution *made = &statistics->rank_sum[i][j];
      if (made->mass != NULL)
        continue;
      start(statistics, made, i * j);
      if (i == 0 || j == 0) {
        made->mass[0] = 1;
        continue;
      }
      double of_x = (double)i / (double)(i + j);
      const assay_distribution *without_x = &statistics->rank_sum[i - 1][j];
      const assay_distribution *without_y = &statistics->rank_sum[i][j - 1];
      for (size_t u = 0; u <= without_x->largest; u++)
        made->mass[u + j] += of_x * without_x->mass[u];
      for (size_t u = 0; u <= without_y->largest; u++)
        made->mass[u] += (1 - of_x) * without_y->mass[u];
    }
  }
  return &statistics->rank_sum[m][n];
}

static double sum_through(const assay_distribution *distribution, double value) {
  double sum = 0;
  for (size_t i = 0; i <= distribution->largest && (double)i <= value; i++)
    sum += distribution->mass[i];
  return sum < 1 ? sum : 1;
}

typedef struct moments {
  double mean, deviation;
} moments;

static moments signed_rank_moments(size_t count) {
  double n = (double)count;
  return (moments){n * (n + 1) / 4, sqrt(n * (n + 1) * (2 * n + 1) / 24)};
}

static moments rank_sum_moments(size_t x_count, size_t y_count) {
  double m = (double)x_count, n = (double)y_count;
  return (moments){m * n / 2, sqrt(m * n * (m + n + 1) / 12)};
}

static double normal_through(moments of, double value) {
  return assay_normal_below((value + 0.5 - of.mean) / of.deviation);
}

double assay_signed_rank_below(assay_statistics *statistics, size_t n, double t) {
  if (t < 0)
    return 0;
  if (n <= ASSAY_SIGNED_RANK_EXACT)
    return sum_through(signed_rank(statistics, n), t);
  return normal_through(signed_rank_moments(n), floor(t));
}

double assay_rank_sum_below(assay_statistics *statistics, size_t m, size_t n, double u) {
  if (u < 0)
    return 0;
  if (m <= ASSAY_RANK_SUM_EXACT && n <= ASSAY_RANK_SUM_EXACT)
    return sum_through(rank_sum(statistics, m, n), u);
  return normal_through(rank_sum_moments(m, n), floor(u));
}

static moments sign_moments(size_t n) {
  return (moments){(double)n / 2, sqrt((double)n) / 2};
}

double assay_sign_below(size_t n, double k) {
  if (k < 0)
    return 0;
  if (n > ASSAY_SIGN_EXACT)
    return normal_through(sign_moments(n), floor(k));
  double mass = ldexp(1, -(int)n), sum = 0;
  for (size_t i = 0; i <= n && (double)i <= k; i++) {
    sum += mass;
    mass *= (double)(n - i) / (double)(i + 1);
  }
  return fmin(sum, 1);
}

static size_t exact_critical(assay_distribution *distribution, double alpha) {
  if (distribution->alpha == alpha)
    return distribution->critical;
  double sum = 0, limit = alpha / 2 * (1 + 1e-12); // sums that meet it but for their rounding do
  size_t k = 0;
  while (k <= distribution->largest && (sum += distribution->mass[k]) <= limit)
    k++;
  distribution->alpha = alpha;
  distribution->critical = k;
  return k;
}

// Bisection: the probability grows with k.
static size_t normal_critical(moments of, double alpha) {
  size_t low = 0, high = (size_t)of.mean + 1;
  while (low < high) {
    size_t middle = low + (high - low + 1) / 2;
    if (normal_through(of, (double)middle - 1) <= alpha / 2)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

size_t assay_signed_rank_critical(assay_statistics *statistics, size_t n, double alpha) {
  if (n <= ASSAY_SIGNED_RANK_EXACT)
    return exact_critical(signed_rank(statistics, n), alpha);
  return normal_critical(signed_rank_moments(n), alpha);
}

size_t assay_sign_critical(size_t n, double alpha) {
  if (n > ASSAY_SIGN_EXACT)
    return normal_critical(sign_moments(n), alpha);
  double mass = ldexp(1, -(int)n), sum = 0;
  size_t k = 0;
  while (k <= n && (sum += mass) <= alpha / 2 * (1 + 1e-12)) {
    mass *= (double)(n - k) / (double)(k + 1);
    k++;
  }
  return k;
}

size_t assay_rank_sum_critical(assay_statistics *statistics, size_t m, size_t n, double alpha) {
  if (m <= ASSAY_RANK_SUM_EXACT && n <= ASSAY_RANK_SUM_EXACT)
    return exact_critical(rank_sum(statistics, m, n), alpha);
  return normal_critical(rank_sum_moments(m, n), alpha);
}

// All n of one sign: 2^-n, for either of two intervals.
size_t assay_paired_needs(double alpha) {
  return (size_t)ceil(log2(4 / alpha));
}

// All of x below all of y: one of (2n over n) orders.
size_t assay_rank_sum_needs(double alpha) {
  size_t n = 1;
  for (double orders = 2; 1 / orders > alpha / 2; n++)
    orders *= 2 * (2 * (double)n + 1) / ((double)n + 1);
  return n;
}
