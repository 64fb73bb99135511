// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state as text.
#ifndef ASSAY_HARNESS_LEDGER_PRINTED_H
#define ASSAY_HARNESS_LEDGER_PRINTED_H

#include "harness/ledger/ledger.h"

// The module as text with a line's end, in shared memory, printed in a child: printing what a bad
// pass left may crash. doing: for progress. ASSAY_FAILED with the reason where it cannot be
// printed, or where the request was stopped.
ASSAY_MUST_USE assay_code assay_state_text(const assay_ledger_request *request, assay_arena *arena,
                                           const assay_snapshot *state, bool generic,
                                           const char *doing, const char **out_text,
                                           assay_error *err);

// The module's text in this process, pretty or generic, in the arena.
const char *assay_module_text(MlirModule module, bool generic, assay_arena *arena);

#endif
