// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer in one sentence.
#ifndef ASSAY_RESULTS_FORMATS_COMMON_SENTENCE_H
#define ASSAY_RESULTS_FORMATS_COMMON_SENTENCE_H

#include "results/formats/format.h"
#include "results/record/summary.h"

typedef enum assay_tone {
  ASSAY_TONE_GOOD, // everything is as expected
  ASSAY_TONE_LOOK, // nothing is bad, but something deserves a look, or nothing was run
  ASSAY_TONE_BAD,
} assay_tone;

// What failed besides, "All 211 verdicts are as expected: 209 PASS, 2 XFAIL." or "3 of 211 verdicts
// are bad: 2 FAIL, 1 CRASH; ...", and what a comparison with a baseline found; in the arena.
const char *assay_sentence_make(assay_arena *arena, const assay_summary *summary,
                                const assay_run_totals *totals, assay_tone *out_tone);

// How many rows of the comparison fail its gate: nothing else is called a regression; 0 without
// one.
size_t assay_baseline_regressions(const assay_run_totals *totals);
// How many are worse within what the thresholds allow: a warning.
size_t assay_baseline_warnings(const assay_run_totals *totals);
// How many of the records have a bad verdict that a baseline has as well.
size_t assay_known_failures(const assay_run_totals *totals, size_t count);

#endif
