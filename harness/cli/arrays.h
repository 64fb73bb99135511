// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user hands a ledger in numbers: the entry's arguments (--input), and what is right
// (--expect, --expect-values).
#ifndef ASSAY_HARNESS_CLI_ARRAYS_H
#define ASSAY_HARNESS_CLI_ARRAYS_H

#include "harness/cli/session.h"
#include "harness/ledger/ledger.h"

// Into the request, in the session's arena. ASSAY_INVALID, with the file, for what is no .npy file,
// is truncated or has a dtype that is not known; also where both ways to say what is right are
// used.
ASSAY_MUST_USE assay_code assay_arrays_read(const assay_session *session,
                                            assay_ledger_request *request, assay_error *err);
// Expected values as words, "15 3 nan inf". ASSAY_INVALID for what is no number.
ASSAY_MUST_USE assay_code assay_values_read(const assay_session *session, const char *words,
                                            assay_ledger_request *request, assay_error *err);

#endif
