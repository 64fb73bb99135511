// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/shift.h"

#include <math.h>

assay_shift assay_shift_find(assay_arena *arena, assay_statistics *statistics,
                             const assay_comparison_row rows[], size_t count,
                             assay_metric_kind kind) {
  enum { LEAST_ROWS = 10 };
  const double one_way = 0.9, least = 0.01;
  double *ratios = assay_arena_take(arena, count + 1, sizeof *ratios);
  size_t found = 0, above = 0, below = 0;
  for (size_t i = 0; i < count; i++) {
    const assay_comparison_row *row = &rows[i];
    if (row->kind != kind || !row->comparable || !(row->ratio > 0) || isinf(row->ratio))
      continue;
    ratios[found++] = row->ratio;
    above += row->ratio > 1;
    below += row->ratio < 1;
  }
  size_t most = above > below ? above : below;
  if (found < LEAST_ROWS || (double)most < one_way * (double)found)
    return (assay_shift){.count = 0};
  double median = assay_median(statistics, ratios, found);
  if (fabs(log(median)) < log(1 + least))
    return (assay_shift){.count = 0};
  return (assay_shift){.count = found, .one_way = most, .median = median};
}
