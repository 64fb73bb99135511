// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a helper computes: an operation's result more exactly than its type can hold, then rounded.
#ifndef ASSAY_COMPILER_ROUNDING_COMPUTE_H
#define ASSAY_COMPILER_ROUNDING_COMPUTE_H

#include "compiler/rounding/helpers.h"

typedef struct assay_compute {
  assay_round round;
  assay_helpers *helpers; // for functions of the process
} assay_compute;

MlirValue assay_compute_build(const assay_compute *it, const assay_rounded *operation,
                              const MlirValue operands[]);

// Builds the call of a function of the process, declared where it is new; of helpers.c.
MlirValue assay_helpers_call_symbol(assay_helpers *helpers, const assay_builder *at,
                                    const char *name, MlirType result, int count,
                                    const MlirValue arguments[]);

#endif
