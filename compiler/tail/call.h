// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call of a program's entry, added to a state in the state's own terms.
#ifndef ASSAY_COMPILER_TAIL_CALL_H
#define ASSAY_COMPILER_TAIL_CALL_H

#include "compiler/tail/border.h"

// The symbol of the module, or null.
MlirOperation assay_call_find(MlirModule module, const char *name);
// Adds ASSAY_TAIL_ENTRY, which calls the entry, and takes out what the entry does not reach; the
// program's functions get names that are nobody else's. ASSAY_UNSUPPORTED where there is no entry,
// or it cannot be called.
ASSAY_MUST_USE assay_code assay_call_add(MlirModule module, const assay_tail_request *request,
                                         assay_arena *arena, assay_border *out_border,
                                         assay_error *err);

#endif
