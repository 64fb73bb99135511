// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of shadows added to a program; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_SHADOWING_H
#define ASSAY_COMPILER_ORIGIN_SHADOWING_H

#include "compiler/base/arena.h"
#include "compiler/origin/helpers.h"
#include "compiler/origin/shadow.h"
#include "compiler/origin/slots.h"
#include "compiler/origin/structs.h"

enum { ASSAY_SHADOWING_VALUES = 1 + ASSAY_ORIGIN_OPERANDS }; // of a step, at most

typedef struct assay_shadowing {
  assay_watch_helpers helpers;
  assay_arena *arena;
  assay_slots slots; // of the function at hand
  bool exact;        // the shadows are numbers: exact.h
  assay_shadow_op *ops;
  MlirOperation *operations; // by number: what each is of
  int count, capacity;
} assay_shadowing;

// Declares the runtime's functions in the program.
void assay_shadowing_declare(assay_shadowing *it, MlirContext context);
// Whether values of the type have shadows.
bool assay_shadowing_has_slot(const assay_shadowing *it, MlirType type);
// A step that hands the result and the operands of op, which stand in values in that order, to the
// runtime; of: the operation that it is told of.
void assay_shadowing_step(assay_shadowing *it, const assay_builder *at, assay_shadow_op *op,
                          MlirOperation of, const MlirValue values[]);
// A field of a value as a value of its own, with that part of its slot.
MlirValue assay_shadowing_field(assay_shadowing *it, const assay_builder *at,
                                const assay_field *field, const assay_slot *whole);
// A step for each float that a value holds, and perhaps for its address; numbered from `number` on.
// Returns the next number.
int assay_shadowing_simple(assay_shadowing *it, const assay_builder *at, assay_shadow_kind kind,
                           int number, MlirOperation of, MlirValue whole, MlirValue address);

#endif
