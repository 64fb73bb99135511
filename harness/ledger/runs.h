// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States finished by a tail and run: each in a child, together with whatever else is asked for at
// the same time.
#ifndef ASSAY_HARNESS_LEDGER_RUNS_H
#define ASSAY_HARNESS_LEDGER_RUNS_H

#include "harness/ledger/pool.h"

// What is run of one entry.
typedef struct assay_subject_entry {
  const char *name;
  const char *input_type; // as the user wrote it
  int data_count;         // data sets: one where the entry takes no arguments
  int data[ASSAY_DATA_SETS];
  const assay_observation *baseline;     // what the input shows; NULL while that is not known
  double seconds;                        // that the input ran, at most; with the baseline
  bool cautious;                         // as in assay_tail_request
  int64_t dims[ASSAY_OBSERVED_MAX_RANK]; // the same, where the user says nothing of sizes
  int dim_count;
  bool optimise;               // large: the first tail too is compiled with LLVM's -O2
  const char *const *declared; // what the input declares, as in assay_tail_request
  const char *const *given;
  int declared_count;
  assay_reuse *reuse; // (optional) what its states have shown
} assay_subject_entry;

typedef enum assay_run_purpose {
  ASSAY_RUN_PLAIN,    // each data set once
  ASSAY_RUN_POISONED, // each data set with fresh memory filled differently, and with it elsewhere
  ASSAY_RUN_NAN,      // each data set once, telling where NaN come from
  ASSAY_RUN_INF,      // the same for infinities
  ASSAY_RUN_NAN_EXACTLY, // the same by numbers: slower, and sure
  ASSAY_RUN_INF_EXACTLY,
  ASSAY_RUN_LOSS,    // the same for lost digits
  ASSAY_RUN_SAMPLES, // each data set by `samples` stochastic and as many amplified runs
} assay_run_purpose;

typedef struct assay_run_wanted {
  const assay_snapshot *state;
  const assay_snapshot *source; // NAN to LOSS: the program as the user wrote it
  const char *last_type;        // the entry's type where it was last a func.func
  assay_tail tail;
  int other_steps; // as in assay_tail_request
  assay_run_purpose purpose;
  bool checked;  // as in assay_tail_request
  bool literal;  // as in assay_tail_request
  bool reused;   // what the same code has shown already will do
  int samples;   // SAMPLES only
  uint64_t seed; // SAMPLES only: other seeds, other samples
} assay_run_wanted;

// Runs all that is wanted; answers[i] is in shared memory and ready, whatever became of the child:
// what died or was late outside a run of its own is NOT_RUN with the reason. Plain runs are in the
// order of the entry's data sets; samples in that order too, first the stochastic ones of a set,
// then the amplified.
ASSAY_MUST_USE assay_code assay_runs_take(const assay_ledger_request *request, assay_arena *arena,
                                          const assay_subject_entry *entry, const char *doing,
                                          const assay_run_wanted wanted[], int count,
                                          const assay_tail_answer *answers[], assay_error *err);

// The arguments that the entry is given on a data set (0 int, 1 real); NULL where it takes none or
// they cannot be made.
ASSAY_MUST_USE assay_code assay_runs_arguments(const assay_ledger_request *request,
                                               assay_arena *arena, const assay_subject_entry *entry,
                                               int data, const assay_observation **out_arguments,
                                               assay_error *err);

#endif
