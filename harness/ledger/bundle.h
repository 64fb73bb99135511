// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The repro bundle of a bad pass: all that shows the fault again without a ledger.
#ifndef ASSAY_HARNESS_LEDGER_BUNDLE_H
#define ASSAY_HARNESS_LEDGER_BUNDLE_H

#include "harness/ledger/ledger.h"

// Writes into the folder, which must be there: input.mlir, before.mlir and after.mlir (the module
// before any pass, and before and after the accused one; generic syntax where the pretty one does
// not parse back), pass (the pass alone, as text), inputs/DATA-N.npy, expected/DATA-N.npy and
// got/DATA-N.npy (what was observed, in order; data sets int and real), bundle.json (manifest.h),
// and README with the commands. program: how this program is called. Where nobody is accused
// nothing is written. ASSAY_FAILED with the path where a file cannot be written, or where the
// request was stopped: the folder is then as it was. An earlier bundle in it gives way to the new
// one.
ASSAY_MUST_USE assay_code assay_bundle_write(const assay_ledger_request *request,
                                             assay_arena *arena, const assay_ledger_answer *answer,
                                             const char *folder, const char *program,
                                             assay_error *err);
// Removes what a bundle holds, and the folder where that was all.
void assay_bundle_remove(assay_arena *arena, const char *folder);

#endif
