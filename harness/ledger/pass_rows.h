// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ledger's rows as rows of a record.
#ifndef ASSAY_HARNESS_LEDGER_PASS_ROWS_H
#define ASSAY_HARNESS_LEDGER_PASS_ROWS_H

#include "harness/ledger/ledger.h"
#include "results/record/record.h"

// One for each pass execution, in the arena; *out_count of them. What a pass runs inside itself
// (inline's canonicalize) has a row of its own, and its seconds are in no other.
assay_pass_row *assay_ledger_pass_rows(assay_arena *arena, const assay_ledger_answer *answer,
                                       size_t *out_count);

#endif
