// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The summary: records counted per op and backend.
#ifndef ASSAY_RESULTS_RECORD_SUMMARY_H
#define ASSAY_RESULTS_RECORD_SUMMARY_H

#include "results/record/record.h"

typedef struct assay_summary_row {
  const char *op, *backend;
  int64_t verdicts[ASSAY_VERDICT_COUNT];
  double largest_margin;    // NaN where no comparison was made
  const char *largest_case; // the key with the largest margin, or NULL
  bool timed;               // benchmarks are among its records
  double seconds; // compile and run, summed over the records; NaN: none is known, or timed
} assay_summary_row;

typedef struct assay_summary {
  assay_summary_row *rows; // sorted by op, then backend
  size_t count;
  assay_summary_row total; // op and backend are "total" and ""
} assay_summary;

// The records of each row one behind the other, in the rows' order, and of one row in the order
// given; in the arena.
const assay_record **assay_summary_sort(assay_arena *arena, const assay_record records[],
                                        size_t count);

const assay_summary *assay_summary_make(assay_arena *arena, const assay_record records[],
                                        size_t count);

#endif
