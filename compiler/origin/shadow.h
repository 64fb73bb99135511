// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the shadows' code and their runtime agree on; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_SHADOW_H
#define ASSAY_COMPILER_ORIGIN_SHADOW_H

#include "compiler/origin/loss.h"
#include "compiler/rounding/helpers.h"

typedef enum assay_shadow_kind {
  ASSAY_SHADOW_START,   // the shadow of the result is the result
  ASSAY_SHADOW_MOVE,    // each lane of the result is one of the operands', but for the sign
  ASSAY_SHADOW_EXTRACT, // the first operand's lane that the second one says
  ASSAY_SHADOW_INSERT,  // the first operand, but for the lane that the third one says
  ASSAY_SHADOW_CHANGE,  // fpext, fptrunc
  ASSAY_SHADOW_COMPUTE,
  ASSAY_SHADOW_REDUCE, // the second operand's lanes, onto the first
  ASSAY_SHADOW_LOAD,   // of the address that is the operand
  ASSAY_SHADOW_STORE,  // of the result to that
  ASSAY_SHADOW_PASS,   // the result is an argument of a call, number `number`
  ASSAY_SHADOW_TAKE,   // the result is a parameter
  ASSAY_SHADOW_RETURN, // the result is what a function returns
  ASSAY_SHADOW_RECEIVE,
  ASSAY_SHADOW_SHOW, // the result is handed to a function that nothing defines
} assay_shadow_kind;

typedef struct assay_shadow_op {
  assay_shadow_kind kind;
  assay_rounded_kind compute;
  int number;
  // MOVE: (optional, malloc'ed) the lane that each lane is, those of the second operand behind the
  // first's; else it is known by its number.
  int *map;
  long double (*one)(long double); // of LIBM, by its arguments
  long double (*two)(long double, long double);
  assay_origin_type result;
  int operand_count;
  assay_origin_type operands[ASSAY_ORIGIN_OPERANDS];
} assay_shadow_op;

// Of numbers only (exact.h): a MOVE whose last operand says which, and what fetches a float from
// where it is not followed.
enum { ASSAY_SHADOW_CHOICE = 1, ASSAY_SHADOW_UNFOLLOWED = 2 };

// An operation that made a value's relative error rise. Levels: bits lost, less those of the
// format, so that they are the same in each format.
typedef struct assay_shadow_rise {
  int event; // as events.h numbers them
  float from, to;
} assay_shadow_rise;

enum { ASSAY_SHADOW_RISES = 3, ASSAY_SHADOW_BYTES = 80 };

// A value with more digits, and who is to answer for what it has lost.
typedef struct assay_shadow {
  long double value;
  double error; // of the shadow itself, at most: its digits are numbered too
  int bits;     // of the narrowest format that it came through inexactly: it has no more of them
  int rise_count;
  // The greatest on the way to it, in the order in which they came. What was won back since is no
  // part of them: none ends above the level of the value.
  assay_shadow_rise rises[ASSAY_SHADOW_RISES];
} assay_shadow;

_Static_assert(sizeof(assay_shadow) <= ASSAY_SHADOW_BYTES, "as slots of the stack are made");

// The table that the runtime reads, by numbers of operations: malloc'ed, for as long as the
// process.
void assay_shadow_describe(const assay_shadow_op *ops);

#define ASSAY_SHADOW_STEP "assay_shadow_step"
#define ASSAY_SHADOW_COPY "assay_shadow_copy"
#define ASSAY_SHADOW_HAND "assay_shadow_hand"

#endif
