// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all timings of a comparison say together, where none of them says it alone.
#ifndef ASSAY_RESULTS_COMPARE_SHIFT_H
#define ASSAY_RESULTS_COMPARE_SHIFT_H

#include "results/compare/compare.h"
#include "results/compare/statistics.h"

// Of the rows of that metric that could be judged; count is 0 where they are few, do not go one way
// (nine of ten), or by less than 1 % in the median.
assay_shift assay_shift_find(assay_arena *arena, assay_statistics *statistics,
                             const assay_comparison_row rows[], size_t count,
                             assay_metric_kind kind);

#endif
