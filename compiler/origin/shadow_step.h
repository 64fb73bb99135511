// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of the shadows as the program runs: an operation, with its values and their shadows; of
// this room only.
#ifndef ASSAY_COMPILER_ORIGIN_SHADOW_STEP_H
#define ASSAY_COMPILER_ORIGIN_SHADOW_STEP_H

#include "compiler/origin/shadow.h"

// One lane of a value of the program.
typedef struct assay_shadow_lane {
  assay_shadow shadow;
  double value;
} assay_shadow_lane;

typedef struct assay_shadow_step {
  int number;
  const assay_shadow_op *op;
  void *const *values; // the result's, then the operands'
  assay_shadow *const *slots;
} assay_shadow_step;

int assay_shadow_lane_count(const assay_origin_type *type);
// Lane `at` of a value; shadow NULL: one that has none, or is to begin anew.
assay_shadow_lane assay_shadow_lane_of(const assay_origin_type *type, const void *value,
                                       const assay_shadow *shadow, int at);
// Bits that a lane has lost, as far as its shadow is right.
double assay_shadow_lost(const assay_origin_type *type, const assay_shadow_lane *of);
// An operation on shadows alone.
long double assay_shadow_apply(const assay_shadow_op *op, const assay_shadow_lane operands[]);
// What an operation's exact result is off at most, for what its operands are and what it was
// rounded.
double assay_shadow_error(const assay_shadow_op *op, const assay_shadow_lane operands[],
                          long double exact);
// What a + b was rounded by.
long double assay_shadow_rounded(long double a, long double b, long double sum);
void assay_shadow_put(assay_shadow *slots, int at, const assay_shadow *shadow);

// COMPUTE and CHANGE, REDUCE; MOVE, EXTRACT and INSERT.
void assay_shadow_compute(const assay_shadow_step *it);
void assay_shadow_reduce(const assay_shadow_step *it);
void assay_shadow_move(const assay_shadow_step *it);

#endif
