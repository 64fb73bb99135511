// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operations are called in the user's program; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_NAMES_H
#define ASSAY_COMPILER_ORIGIN_NAMES_H

#include "compiler/ir/walk.h"
#include "compiler/origin/origin.h"

// Sets the name of an operation, which is that of the state that is run, to what the program calls
// it at its place: passes may have made of one operation many. before: (optional) the one described
// before it, which is often of the same place.
ASSAY_MUST_USE assay_code assay_names_find(const assay_operations *program, assay_shared *shared,
                                           const assay_origin_op *before, assay_origin_op *op,
                                           assay_error *err);

// LLVM may take a result for finite, or change the order of operations, where flags say so.
void assay_flags_drop(MlirOperation operation);

#endif
