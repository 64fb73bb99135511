// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The properties of a case, checked on a program that was judged right on its data.
#ifndef ASSAY_HARNESS_RUN_EXAMINE_H
#define ASSAY_HARNESS_RUN_EXAMINE_H

#include "harness/run/execute.h"
#include "harness/run/trial.h"

// Checks every property that applies to the job, after the trial's runs, until one does not hold:
// then the outcome is a FAIL with its name and reason. The outcome notes which were checked. Fails
// where the program cannot be run.
ASSAY_MUST_USE assay_code assay_examine_job(const assay_session *session, const assay_job *job,
                                            const assay_trial *it, assay_outcome *outcome,
                                            assay_error *err);

#endif
