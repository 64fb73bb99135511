// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function of a module is asked about.
#ifndef ASSAY_HARNESS_LEDGER_ENTRY_H
#define ASSAY_HARNESS_LEDGER_ENTRY_H

#include "compiler/base/arena.h"
#include "compiler/bridge/snapshot.h"

// The function of that name; of none (NULL) main, else the only public one; it must have a body.
// NULL with a reason, in the arena, where there is none, or more than one.
const assay_function_state *assay_entry_find(const assay_snapshot *module, const char *name,
                                             assay_arena *arena, const char **out_reason);

#endif
