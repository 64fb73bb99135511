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

// A float, or a vector of floats, among an operation's results.
enum { ASSAY_WATCHED_DEPTH = 3, ASSAY_WATCHED_PARTS = 16 };
typedef struct assay_watched_part {
  MlirType type;
  int depth; // of the struct it is in; 0: it is the result
  int64_t position[ASSAY_WATCHED_DEPTH];
} assay_watched_part;

// What of it must be watched, as assay_watched_is: itself, or what its struct holds (math.sincos
// makes one); how many there are.
int assay_watched_parts(MlirOperation operation, MlirSymbolTable symbols,
                        assay_watched_part out_parts[ASSAY_WATCHED_PARTS]);

// Describes it, its strings in shared memory; false where that is full. values: the operands that
// out_op->operands stand for.
bool assay_watched_describe(MlirOperation operation, assay_shared *shared, assay_origin_op *out_op,
                            MlirValue out_values[ASSAY_ORIGIN_OPERANDS]);

// Its name behind "llvm.": "fsub", "call @expf"; what comes after in `name` is its space.
const char *assay_watched_name(MlirOperation operation, size_t size, char name[]);

// The format and lanes of a scalar or a vector of one dimension; OTHER for anything else.
assay_origin_type assay_watched_type(MlirType type);

#endif
