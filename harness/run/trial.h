// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial: the guarded tensors of one job, and what a program did to them besides computing.
#ifndef ASSAY_HARNESS_RUN_TRIAL_H
#define ASSAY_HARNESS_RUN_TRIAL_H

#include "harness/run/guard.h"
#include "harness/run/run.h"

enum { ASSAY_TRIAL_ROUNDS = 2 };

typedef struct assay_trial {
  const assay_program *program;
  assay_guarded *inputs;                      // in argument order, filled and sealed
  assay_guarded *results[ASSAY_TRIAL_ROUNDS]; // in result order, one set for each run
  double seconds;                             // of the faster run
  assay_counters counters;                    // of the last run
} assay_trial;

// Makes the tensors of a job of the program and fills the inputs. *out_trial must be {.program =
// program} and is to be destroyed also where this fails. ASSAY_FAILED where memory runs out.
ASSAY_MUST_USE assay_code assay_trial_make(const assay_program *program, const assay_job *job,
                                           assay_trial *out_trial, assay_error *err);
void assay_trial_destroy(assay_trial *it);

// After all runs: whether the program did what no right program does, whatever its values are, and
// what: wrote outside a tensor, changed an input, left an element of a result unwritten, or gave
// other bits in another run. reason is cut to size bytes.
bool assay_trial_misconduct(const assay_trial *it, size_t size, char reason[]);

#endif
