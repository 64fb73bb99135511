// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failures that are known: a baseline has the same bad verdict for the same case.
#ifndef ASSAY_HARNESS_CLI_KNOWN_H
#define ASSAY_HARNESS_CLI_KNOWN_H

#include "harness/cli/session.h"
#include "results/record/record.h"

// A copy of the records in which those that the source --known has with the same bad verdict are
// XFAIL, with a reason that names the verdict; (*out_known)[i] says whether records[i] is one of
// them. In the arena. Fails as reading a source does.
ASSAY_MUST_USE assay_code assay_known_mark(const assay_session *session,
                                           const assay_record records[], size_t count,
                                           assay_record **out_records, const bool **out_known,
                                           assay_error *err);

#endif
