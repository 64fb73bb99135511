// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distinct states of a pipeline, each run once and judged; those that differ only in functions
// that the entry does not call count as one.
#ifndef ASSAY_HARNESS_LEDGER_STATES_H
#define ASSAY_HARNESS_LEDGER_STATES_H

#include "harness/ledger/steps.h"
#include "harness/ledger/judge.h"

typedef struct assay_state {
  const assay_snapshot *snapshot;
  uint64_t reach;        // of what the entry may call
  const char *last_type; // the entry's type where it was last a func.func
  bool was_public;       // the entry, where it was last there
  assay_tail tail;       // that ran it
  const assay_tail_answer *answer;
  assay_judgement judged;
} assay_state;

typedef struct assay_states {
  int count;
  assay_state *items;
} assay_states;

// Runs every state that an execution left, and those that nested executions started from. Where the
// trial is inconclusive only the last state is lowered, to see whether a tail can.
ASSAY_MUST_USE assay_code assay_states_run(const assay_trial *trial, const assay_steps *steps,
                                           assay_states *out_states, assay_error *err);
// NULL where the state was not among them.
const assay_state *assay_states_find(const assay_states *states, const assay_snapshot *snapshot);

// Runs and judges one more state by the tail that it names, in the way of `how`: its purpose, and
// whether it is literal.
ASSAY_MUST_USE assay_code assay_state_run(const assay_trial *trial, const assay_run_wanted *how,
                                          assay_state *state, assay_error *err);

// Runs and judges snapshots that stand in place of the one that an execution left, which was run.
ASSAY_MUST_USE assay_code assay_states_judge(const assay_trial *trial, const assay_states *states,
                                             const assay_execution *execution,
                                             const assay_snapshot *const snapshots[], int count,
                                             assay_judgement out_judgements[], assay_error *err);

#endif
