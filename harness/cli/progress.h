// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress on standard error: one live line on a terminal, a plain line every two seconds
// elsewhere.
#ifndef ASSAY_HARNESS_CLI_PROGRESS_H
#define ASSAY_HARNESS_CLI_PROGRESS_H

#include "results/record/record.h"

typedef struct assay_progress {
  size_t total, done, bad;
  double started, shown; // seconds of assay_clock_now()
  bool live;             // standard error is a terminal, and not a dumb one
  bool quiet, verbose;   // verbose: each record a line of its own
} assay_progress;

assay_progress assay_progress_start(size_t total, bool quiet, bool verbose);
void assay_progress_report(assay_progress *progress, const assay_record *record);
// Clears the live line.
void assay_progress_end(const assay_progress *progress);

#endif
