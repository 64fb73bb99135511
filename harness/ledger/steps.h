// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline stepped in a child, and one pass alone.
#ifndef ASSAY_HARNESS_LEDGER_STEPS_H
#define ASSAY_HARNESS_LEDGER_STEPS_H

#include "harness/ledger/pool.h"

typedef struct assay_steps {
  const assay_stepping *stepping;
  int count;
  const assay_execution **executions; // in order; the last one may be the pass that died
  bool died;                          // the last execution never ended
  bool stopped;                       // by the request: the pipeline goes on after the last one
  assay_fault death;                  // CRASH or TIMEOUT, where it died
  const char *reason;                 // why it died; "" else
} assay_steps;

// Steps the request's pipeline over its source. ASSAY_INVALID where that does not parse;
// ASSAY_FAILED where it was stopped before that.
ASSAY_MUST_USE assay_code assay_steps_take(const assay_ledger_request *request, assay_arena *arena,
                                           assay_steps *out_steps, assay_error *err);

// Runs one execution's pass again on the state before it, alone, several times in fresh processes
// whose memory lies differently. snapshots: the state after each, NULL where it died. UNSUPPORTED
// where the pass has no name to be run by.
ASSAY_MUST_USE assay_code assay_steps_again(const assay_ledger_request *request, assay_arena *arena,
                                            const assay_execution *execution, int times,
                                            const assay_snapshot *out_snapshots[],
                                            assay_error *err);

// One run of an execution's pass alone.
typedef struct assay_pass_run {
  int disorder;               // memory lies differently in runs with other numbers; 0: as it comes
  const assay_within *within; // (optional) as in assay_stepping_request
  const assay_stepping *stepping; // what it did, in shared memory
  const assay_execution *last;    // the pass's end; NULL where it did not come to it
  assay_ending ending;            // how the process ended
} assay_pass_run;

// Makes the runs, all on the state before the execution, each in a fresh process. UNSUPPORTED where
// the pass has no name to be run by.
ASSAY_MUST_USE assay_code assay_steps_alone(const assay_ledger_request *request, assay_arena *arena,
                                            const assay_execution *execution, const char *doing,
                                            assay_pass_run runs[], int count, assay_error *err);

// The pipeline that runs the execution's pass alone, and what it needs to run before it:
// "func.func(cse)". In the arena.
const char *assay_steps_pass(assay_arena *arena, const assay_execution *execution);
// The pipeline that runs the execution's pass alone: "builtin.module(func.func(cse))". It must have
// a name.
const char *assay_steps_pipeline(assay_arena *arena, const assay_execution *execution);
// The words after "mlir-opt FILE" that run the execution's pass alone; "" where it has no name.
const char *assay_steps_command(assay_arena *arena, const assay_execution *execution);

#endif
