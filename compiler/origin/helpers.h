// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the instrumented module that look at a result, one for each set of types; of this
// room only.
#ifndef ASSAY_COMPILER_ORIGIN_HELPERS_H
#define ASSAY_COMPILER_ORIGIN_HELPERS_H

#include "compiler/ir/builder.h"
#include "compiler/origin/origin.h"

typedef struct assay_watch_helpers {
  MlirModule module;
  MlirSymbolTable symbols;
  bool hasty;    // as in assay_origin_instrument
  bool infinite; // infinities are looked at too
} assay_watch_helpers;

// Moves the functions of a text, of this room's own making, into the module, but for those it has.
void assay_watch_add(const assay_watch_helpers *helpers, MlirContext context, const char *text);
bool assay_watch_knows(const assay_watch_helpers *helpers, const char *name);

// Builds the call that looks at result, made of the given operands by operation number `op`: what
// stands for the result from there on.
MlirValue assay_watch_call(const assay_watch_helpers *helpers, const assay_builder *at, int op,
                           const assay_origin_op *types, MlirValue result,
                           const MlirValue operands[]);

#endif
