// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution, in a case's child: a program is loaded once and judged on each job's data.
#ifndef ASSAY_HARNESS_RUN_EXECUTE_H
#define ASSAY_HARNESS_RUN_EXECUTE_H

#include "harness/run/outcome.h"

// A program on a backend in this process.
typedef struct assay_session {
  const assay_opened *opened;
  const assay_program *program;
  assay_object object;
  assay_loaded *loaded; // NULL where unloadable says why
  assay_load_report report;
  bool told; // an outcome has told of the compilation: later jobs share it
  assay_outcome
      unloadable; // SKIP where the backend cannot do the program, ERROR where it failed to
} assay_session;

// Asks the backend whether it can do the program, and loads it.
void assay_session_open(const assay_opened *opened, const assay_program *program,
                        assay_session *out_session);
void assay_session_close(assay_session *session);

// Runs the program twice on the job's data, every result poisoned afresh and every tensor guarded,
// and judges what came out. In this order an outcome other than PASS is: the backend's own error;
// something written outside a result, an input changed, an element not written, two runs that
// differ; a value judged wrong; a contraction that was not handed over; a property that does not
// hold.
void assay_session_execute(assay_session *session, const assay_job *job,
                           assay_outcome *out_outcome);

// Builds the program of a job and tells how the tensor language answered: for a negative case PASS
// where it rejected the program with exactly the expected message (WARN where the case expects none
// in particular), for any other ERROR where it did.
void assay_execute_build(const assay_job *job, assay_outcome *out_outcome);

#endif
