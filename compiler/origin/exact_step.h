// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a program whose NaN and infinities have numbers; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_EXACT_STEP_H
#define ASSAY_COMPILER_ORIGIN_EXACT_STEP_H

#include "compiler/origin/exact.h"
#include "compiler/origin/shadow.h"

// Numbers: events from 1 on; then operations whose events were too many, and so on.
enum {
  ASSAY_EXACT_LATER = 1 << 26,
  ASSAY_EXACT_ARGUMENTS = 1 << 27,
  ASSAY_EXACT_CONSTANTS = 1 << 28,
  ASSAY_EXACT_STRANGE = 1 << 29,
  ASSAY_EXACT_UNRELATED = 1 << 30, // a NaN that no infinity led to, where those are asked for
};

typedef struct assay_exact_slot {
  uint64_t bits;
  int number;
} assay_exact_slot;
_Static_assert(sizeof(assay_exact_slot) <= ASSAY_SHADOW_BYTES, "as slots of the stack are made");

typedef struct assay_exact_watch {
  assay_origin_kind kind;
  const assay_origin_report *report;
  const assay_shadow_op *ops;
  assay_exact_log *log;
} assay_exact_watch;
const assay_exact_watch *assay_exact_watching(void);
// As assay_shadow_describe.
void assay_exact_describe(const assay_shadow_op *ops);

typedef struct assay_exact_step {
  int number;
  const assay_shadow_op *op;
  void *const *values; // the result's, then the operands'
  void *const *slots;
} assay_exact_step;

int assay_exact_lanes(const assay_origin_type *type);
int assay_exact_bytes(assay_origin_format format); // of an element; 0 of what is no float
uint64_t assay_exact_bits(const assay_origin_type *type, const void *values, int lane);
// A NaN where NaN are asked for; an infinity where those are. And what may be made of that.
bool assay_exact_is_asked(assay_origin_format format, uint64_t bits);
bool assay_exact_is_inherited(assay_origin_format format, uint64_t bits);
// Whether a value's number is to be kept: bytes may be floats, whatever they hold.
bool assay_exact_is_kept(assay_origin_format format, uint64_t bits);

// The number of a value that no step has made: a constant's, or STRANGE; 0: it needs none.
int assay_exact_from_start(assay_origin_format format, uint64_t bits);
// The number of a lane of the result (0) or an operand.
int assay_exact_lane(const assay_exact_step *it, int value, int lane);
void assay_exact_put(const assay_exact_step *it, int lane, int number); // of the result

// The numbers of a result that is computed, or chosen among operands.
void assay_exact_make(const assay_exact_step *it);

#endif
