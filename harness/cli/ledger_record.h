// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An answer of `assay ledger` as a record, for the store.
#ifndef ASSAY_HARNESS_CLI_LEDGER_RECORD_H
#define ASSAY_HARNESS_CLI_LEDGER_RECORD_H

#include "harness/cli/answers.h"
#include "results/record/record.h"

// Key: "ledger file=FILE entry=NAME pipeline=TEXT data=none backend=none", the file as it was
// given; FAIL where a pass is named, ERROR where a pass gave up or nothing can be said, WARN where
// states could not be run. named: by its entry, too. *out_record is in the arena.
ASSAY_MUST_USE assay_code assay_ledger_record(assay_arena *arena, const assay_answered *one,
                                              bool named, const assay_environment *environment,
                                              assay_record *out_record, assay_error *err);

#endif
