// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Going on from what an earlier run left: which of its records still stand.
#ifndef ASSAY_HARNESS_CLI_RESUME_H
#define ASSAY_HARNESS_CLI_RESUME_H

#include "harness/cli/agenda.h"
#include "harness/cli/out.h"

// Reads the records of the opened folder, takes their jobs out of the agenda, and returns those
// that belong to it. Of several records with one key only the newest counts. One that another
// revision, LLVM, BLAS or version of assay made answers another question: its job runs again. Both
// kinds leave run.jsonl, with what they left in repro/, and of the second a note is given; records
// of jobs that are not in the agenda stay.
ASSAY_MUST_USE assay_code assay_resume(const assay_session *session, assay_out *out,
                                       const assay_environment *environment, assay_agenda *agenda,
                                       assay_record *out_kept[], size_t *out_kept_count,
                                       assay_error *err);

#endif
