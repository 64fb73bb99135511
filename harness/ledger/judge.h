// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a state computes against what the input computes, and how it is wrong where it is.
#ifndef ASSAY_HARNESS_LEDGER_JUDGE_H
#define ASSAY_HARNESS_LEDGER_JUDGE_H

#include "harness/ledger/trial.h"

typedef struct assay_judgement {
  bool lowered; // the tail finished it, whatever became of its runs
  bool ran;
  const char *not_run; // why not; "" where it ran
  bool right;
  bool imprecise; // wrong in precision, not in meaning
  bool bitwise_changed;
  double margin[ASSAY_DATA_SETS]; // by data set; NAN where there is none
  const char *what;               // the worst difference; "" where all bits agree
} assay_judgement;

// What a state's plain runs by the tail say. Imprecise: on real data wrong by little
// (assay_tally_is_small); on small whole numbers only where rounding shows, and by little unless
// real data are: there a function is asked far from where it is approximated.
assay_judgement assay_trial_judge(const assay_trial *trial, const assay_tail_answer *answer);

#endif
