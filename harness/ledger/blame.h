// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a pipeline's executions is accused, and of what.
#ifndef ASSAY_HARNESS_LEDGER_BLAME_H
#define ASSAY_HARNESS_LEDGER_BLAME_H

#include "harness/ledger/states.h"

// All that is known of one entry.
typedef struct assay_suspects {
  const assay_ledger_request *request;
  assay_arena *arena;
  const assay_steps *steps;
  assay_trial *trial;
  const assay_states *states;
  assay_ledger_row *rows; // one for each execution, with the findings that need no run
  const char *left;       // the operation at which the tails stop in the last state; ""
} assay_suspects;

// The first finding in order, and what inside the pass did it. What needed runs is confirmed before
// it is believed: the rows say so, and the trial has the notes. Nobody, where the request is
// stopped.
ASSAY_MUST_USE assay_code assay_blame_take(const assay_suspects *suspects, assay_blame *out_blame,
                                           assay_error *err);

#endif
