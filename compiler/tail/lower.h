// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two tails as lists of passes.
#ifndef ASSAY_COMPILER_TAIL_LOWER_H
#define ASSAY_COMPILER_TAIL_LOWER_H

#include "compiler/tail/tail.h"

// Brings a module, the call of its entry included, wholly into the llvm dialect. Passes whose
// dialects do not occur are left out. ASSAY_UNSUPPORTED names the operation or the pass that stops
// it; *out_left, in the arena, is the name of that operation, "" where there is none.
ASSAY_MUST_USE assay_code assay_tail_lower(MlirModule module, const assay_tail_request *request,
                                           bool guarded, assay_arena *arena, const char **out_left,
                                           assay_error *err);

#endif
