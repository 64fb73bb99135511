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
  uint64_t wrong; // bits: the items that are wrong, 32 for each of the entry's data sets; all of a
                  // set whose run died
} assay_judgement;

// What a state's plain runs by the tail say. Imprecise: on real data wrong by little
// (assay_tally_is_small); on small whole numbers wrong by little, and only where rounding shows.
// Where real data are found imprecise the whole numbers need only not contradict it: where rounding
// shows they may be far off, since a function is asked far from where it is approximated; elsewhere
// they may be rounded, since bf16 has no digits for sums beyond 256.
assay_judgement assay_trial_judge(const assay_trial *trial, const assay_tail_answer *answer);

#endif
