// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass to blame for a case that failed.
#ifndef ASSAY_HARNESS_CLI_BLAME_H
#define ASSAY_HARNESS_CLI_BLAME_H

#include "harness/cli/agenda.h"
#include "harness/cli/out.h"
#include "harness/ledger/ledger.h"

// Runs the ledger for the records that are FAIL or CRASH: the case's module, which stands in its
// repro folder, and its arguments, through the built-in pipeline of its backend. Where a pass is
// named the record's first_bad is set, and the repro folder gets the bundle. At most some of each
// op and backend are looked at, for the same pass is behind them more often than not; *out_left is
// how many were not. Never fails for what a ledger finds, or cannot: ASSAY_FAILED where the system
// does.
ASSAY_MUST_USE assay_code assay_blame_find(const assay_session *session, const assay_out *out,
                                           const assay_cases *cases, assay_record records[],
                                           size_t count, volatile sig_atomic_t *stop,
                                           size_t *out_left, assay_error *err);

// The accused execution of an answer, as a record has it.
assay_first_bad assay_blame_record(assay_arena *arena, const assay_ledger_answer *answer);

#endif
