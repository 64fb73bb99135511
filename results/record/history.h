// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The past of a case.
#ifndef ASSAY_RESULTS_RECORD_HISTORY_H
#define ASSAY_RESULTS_RECORD_HISTORY_H

#include "results/record/record.h"

// One record in the past of a key.
typedef struct assay_history_point {
  const char *started;
  const char *revision; // NULL: not known
  const char *tag;      // the one that was given last; NULL: none
  assay_verdict verdict;
  bool on_device;         // a device's own clock took seconds_run, not the wall's
  double margin;          // NaN: no comparison was made
  double seconds_run;     // the median of its samples, else its one execution; NaN: not known
  double seconds_compile; // the same
} assay_history_point;

#endif
