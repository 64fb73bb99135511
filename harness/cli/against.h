// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay bench --against: this build and another one, timed in pairs.
#ifndef ASSAY_HARNESS_CLI_AGAINST_H
#define ASSAY_HARNESS_CLI_AGAINST_H

#include "harness/cli/agenda.h"

// Times every job of the agenda on both builds, a case after the other, compares and answers as
// `assay compare` does, with pairs. Records go to --out (run.jsonl, and the other build's to
// base.jsonl) and the store. A case or backend that one build does not know is in the other's
// records only, with a note. ASSAY_FAILED or ASSAY_INVALID where options->against is no program
// that answers as this one does.
ASSAY_MUST_USE assay_code assay_against_run(const assay_session *session,
                                            const assay_agenda *agenda, int *out_status,
                                            assay_error *err);

#endif
