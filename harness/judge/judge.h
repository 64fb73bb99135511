// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judging: what was computed against what is expected.
#ifndef ASSAY_HARNESS_JUDGE_JUDGE_H
#define ASSAY_HARNESS_JUDGE_JUDGE_H

#include "compiler/backends/backend.h"
#include "reference/reference.h"
#include "results/record/record.h"

// margin = |got - want| / (ASSAY_LAMBDA * scale). Calibrated (README, Tolerances): the largest
// margin that correct variants reach stays below 0.5.
#define ASSAY_LAMBDA 6.0

typedef struct assay_judgement {
  double margin; // the largest over all rows; infinity where bits that must agree do not, or where
                 // a NaN or Inf stands on one side only, or a result has another type
  bool compared; // a row with a scale above 0 was judged by its margin, or a type was wrong (check:
                 // compare)
  bool exact;    // a row with scale 0, or an integer, was judged bit for bit (check: exact)
  assay_worst worst; // filled where margin > 0, but for a result of the wrong type
  char reason[512]; // why it fails: index, got, want, scale at full precision; "" where margin <= 1
} assay_judgement;

// Judges one result. Probes are summed in long double from got with the weights of the case's probe
// streams. *into is combined with what it already holds, so that several results share one; start
// from {0}.
void assay_judge_result(const char *case_line, const char *data, int result,
                        const assay_expected *expected, const assay_buffer *got,
                        assay_judgement *into);

#endif
