// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a bundle says of itself.
#ifndef ASSAY_HARNESS_LEDGER_README_H
#define ASSAY_HARNESS_LEDGER_README_H

#include "harness/ledger/ledger.h"

// The text of README, in the arena: what was found, what is in the folder, and the commands that
// show it. mlir-opt, with the plug-ins, where it knows the accused pass; always this program.
const char *assay_readme_text(const assay_ledger_request *request, assay_arena *arena,
                              const assay_ledger_answer *answer, const char *program);
// "int" or "real": the data set as files are named by it.
const char *assay_readme_data(const assay_ledger_shown *shown);

#endif
