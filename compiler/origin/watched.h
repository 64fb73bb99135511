// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of the llvm dialect make floats, and what they are called; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_WATCHED_H
#define ASSAY_COMPILER_ORIGIN_WATCHED_H

#include "compiler/origin/origin.h"

// Whether it makes a float, or a vector of floats, that it may be the first to make a NaN: neither
// moves it (loads, selections, changes of sign, calls of functions that the module defines), nor
// holds it as a constant.
bool assay_watched_is(MlirOperation operation, MlirSymbolTable symbols);

// Describes it, its strings in shared memory; false where that is full. values: the operands that
// out_op->operands stand for.
bool assay_watched_describe(MlirOperation operation, assay_shared *shared, assay_origin_op *out_op,
                            MlirValue out_values[ASSAY_ORIGIN_OPERANDS]);

// Its name behind "llvm.": "fsub", "call @expf"; what comes after in `name` is its space.
const char *assay_watched_name(MlirOperation operation, size_t size, char name[]);

// The format and lanes of a scalar or a vector of one dimension; OTHER for anything else.
assay_origin_type assay_watched_type(MlirType type);

#endif
