// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows without noise: verdicts, margins, counters.
#ifndef ASSAY_RESULTS_COMPARE_EXACT_H
#define ASSAY_RESULTS_COMPARE_EXACT_H

#include "results/compare/compare.h"

// Each fills what a row says beyond its records and its metric.
void assay_exact_verdict(assay_arena *arena, const assay_limits *limits, assay_comparison_row *row);
// A case that only NEW has: it gates where its verdict is bad.
void assay_exact_new(assay_arena *arena, const assay_limits *limits, assay_comparison_row *row);
void assay_exact_margin(const assay_limits *limits, assay_comparison_row *row);
// Of the row's counters; without a new one it is one that is not counted any more. UNSURE where
// they differ and another assembler may have made them so.
void assay_exact_counter(assay_arena *arena, const assay_thresholds *thresholds,
                         assay_comparison_row *row);

#endif
