// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in pipelines with upstream passes inserted wherever they make sense.
#ifndef ASSAY_HARNESS_LEDGER_CHECKS_INSERTION_H
#define ASSAY_HARNESS_LEDGER_CHECKS_INSERTION_H

#include "compiler/base/arena.h"

// The i-th of the passes that are inserted; NULL behind the last.
const char *assay_insertable(int i);

// The built-in pipeline of that name with the pass `variant` inserted at all its places; "all": all
// passes, "most": all but linalg-generalize-named-ops, after which no contraction is known by name,
// "plain": none. "builtin.module(...)", in the arena.
const char *assay_pipeline_insert(assay_arena *arena, const char *name, const char *variant);

#endif
