// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The columns of the summary table, for every format that shows one.
#ifndef ASSAY_RESULTS_FORMATS_COMMON_COLUMNS_H
#define ASSAY_RESULTS_FORMATS_COMMON_COLUMNS_H

#include "results/record/summary.h"

// A row's records by what a reader wants to know of them; verdicts is the sum of the others.
typedef struct assay_columns {
  int64_t verdicts;
  int64_t passed;    // PASS, WARN
  int64_t failed;    // what makes a run exit 1: FAIL, ERROR, CRASH, TIMEOUT, XPASS
  int64_t known_gap; // XFAIL
  int64_t skipped;   // SKIP
} assay_columns;

assay_columns assay_columns_count(const assay_summary_row *row);

// A margin in three decimals, "inf", or "-" where no comparison was made (NaN).
typedef struct assay_margin_text {
  char text[32];
} assay_margin_text;
assay_margin_text assay_margin_print(double margin);

// Whole seconds and hundredths of a summary row, or in three digits from 1e6 on; "-" for NaN.
assay_margin_text assay_total_seconds_print(double seconds);

// A ratio in three decimals, or in three digits from 1e6 on.
assay_margin_text assay_ratio_print(double ratio);

// "1310 PASS, 2 FAIL": the verdicts that occur, in the order of assay_verdict, in the arena.
const char *assay_verdicts_print(assay_arena *arena, const assay_summary_row *row);

#endif
