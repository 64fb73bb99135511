// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of timings: their statistics and verdicts.
#ifndef ASSAY_RESULTS_COMPARE_TIMING_H
#define ASSAY_RESULTS_COMPARE_TIMING_H

#include "results/compare/compare.h"
#include "results/compare/statistics.h"

// Of one metric on one side.
typedef struct assay_samples {
  const double *seconds;
  size_t count;
} assay_samples;

assay_samples assay_timing_samples(const assay_record *record, assay_metric_kind kind);

// Why these two cannot be called SLOWER or FASTER, whatever their samples are: another machine,
// library or setting, or samples that are no times. In the arena; NULL where they can.
const char *assay_timing_obstacle(assay_arena *arena, const assay_comparison_row *row, bool paired,
                                  double peak_difference);

// Fills values, ratio, interval, p and verdict. alpha: of this row. Where row->reason is there
// already (an obstacle) the row is UNSURE; samples that are no times have no ratio. Without new
// samples the row is VANISHED.
void assay_timing_judge(assay_arena *arena, assay_statistics *statistics, bool paired, double alpha,
                        const assay_timing_limits *limits, assay_comparison_row *row);

#endif
