// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One entry under trial: what its program computes before any pass, how far a correct compiler may
// be from that, and whether what a state computes is within it.
#ifndef ASSAY_HARNESS_LEDGER_TRIAL_H
#define ASSAY_HARNESS_LEDGER_TRIAL_H

#include "harness/ledger/compare.h"
#include "harness/ledger/runs.h"

typedef struct assay_trial {
  const assay_ledger_request *request;
  assay_arena *arena;
  assay_subject_entry entry;
  const assay_snapshot *input;
  assay_tail tail;          // whose answers count
  bool other_usable;        // the other tail agrees with it on the input
  const char *inconclusive; // NULL, or why the input cannot be judged by
  // NULL, or a rule of an operation that the input breaks as it runs: whatever a pass makes of that
  // is no fault of its own. What is then right stays right; who would be accused is not.
  const char *unsound;
  const assay_tail_answer *plain;                  // the input's runs by the tail
  const assay_observation *moved[ASSAY_DATA_SETS]; // the same with memory elsewhere; or NULL
  const assay_scale *scale[ASSAY_DATA_SETS];       // of data set i of the entry's
  // Sizes of dynamic dimensions that the input may take where it did not take the usual ones.
  int64_t suggested[ASSAY_OBSERVED_MAX_RANK];
  int suggested_count;
  int note_count;
  const char *const *notes;
} assay_trial;

// Runs the input: twice, with different memory, once of them with MLIR's checks, by both tails, and
// samples its rounding. An input that no tail can run, that crashes, or that reads what nobody
// wrote gives a trial with a reason why it is inconclusive.
ASSAY_MUST_USE assay_code assay_trial_open(const assay_ledger_request *request, assay_arena *arena,
                                           const assay_snapshot *input,
                                           const assay_function_state *function,
                                           assay_trial *out_trial, assay_error *err);
// Runs the input once, by whichever tail can, and judges nothing: for a pipeline without passes.
ASSAY_MUST_USE assay_code assay_trial_glance(const assay_ledger_request *request,
                                             assay_arena *arena, const assay_snapshot *input,
                                             const assay_function_state *function,
                                             assay_trial *out_trial, assay_error *err);
// Measures the scale again from twice as many samples, before anybody is accused.
ASSAY_MUST_USE assay_code assay_trial_refine(assay_trial *trial, assay_error *err);

// The sentence that says how the input is unsound.
const char *assay_trial_unsound(const assay_trial *trial);
// A sentence for the reader of the answer.
void assay_trial_note(assay_trial *trial, const char *note);

#endif
