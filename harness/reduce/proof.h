// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fault shown by MLIR's own tools, without this program.
#ifndef ASSAY_HARNESS_REDUCE_PROOF_H
#define ASSAY_HARNESS_REDUCE_PROOF_H

#include "harness/reduce/reduce.h"

// Looks for commands that show the fault in FOLDER/reduced.mlir by mlir-opt-22 and mlir-runner-22
// alone, and tries them: *out_text says, in the arena, which they are and what they show, or why
// there are none. Where values show it FOLDER/shown.mlir is written: a main that calls the program
// and prints. Without a folder nothing is written and nothing tried: "".
ASSAY_MUST_USE assay_code assay_proof_find(const assay_reduction_request *request,
                                           const assay_reduction *reduction, const char *folder,
                                           assay_arena *arena, const char **out_text,
                                           assay_error *err);

#endif
