// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations collected before any of them is changed, and where an operation stands in its source.
#ifndef ASSAY_COMPILER_IR_WALK_H
#define ASSAY_COMPILER_IR_WALK_H

#include "compiler/base/error.h"

#include <mlir-c/IR.h>
#include <stdbool.h>

bool assay_operation_is(MlirOperation operation, const char *name);

// What an arith.constant gives; null for any other value.
MlirAttribute assay_constant_value(MlirValue value);
// The number that an arith.constant of an integer or an index is; false for any other value.
bool assay_constant_read(MlirValue value, int64_t *out_number);

typedef struct assay_operations {
  MlirOperation *items;
  int count, capacity;
} assay_operations;

void assay_operations_add(assay_operations *to, MlirOperation operation);
// The root and the operations inside it, of which the predicate holds (NULL: all), outer ones
// first. The array is malloc'ed and the caller's (assay_operations_release): it is collected first
// so that they can be changed afterwards.
assay_operations assay_operations_collect(MlirOperation root, bool (*predicate)(MlirOperation));
void assay_operations_release(assay_operations *operations);

// Adds the functions with a body of a module of the llvm dialect; ASSAY_INVALID where something is
// of another one.
ASSAY_MUST_USE assay_code assay_operations_functions(assay_operations *functions, MlirModule module,
                                                     assay_error *err);

typedef struct assay_place {
  MlirStringRef file;
  int line, column;
} assay_place;

// The first place in a file within a location; false where it knows none.
bool assay_place_find(MlirLocation location, assay_place *out_place);

#endif
