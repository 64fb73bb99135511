// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where digits are lost: beside each float of a program runs its shadow, what it would be with more
// digits. An operation whose result is farther from its shadow than its operands are from theirs
// has lost bits; each shadow remembers the operation that lost most of them on the way to it.
//
// Followed: arithmetic, libm, vectors, arrays and structures, memory and its copies, loops, calls,
// several results of one function.
// Not followed: whole numbers made from floats, rounding to whole numbers and remainders, calls of
// functions that nothing defines, more than 32 floats of a structure: the shadow starts again from
// the value. Branches are taken as the program takes them.
// What shadows cannot see: roundings that are meant. A program that rounds to a whole number by
// adding 1.5 * 2^23 and taking it away again, or that computes what a rounding was in order to make
// up for it (Kahan's sums, products of two floats), is followed as if no rounding were there: it is
// said to have lost bits that its results have.
// A shadow has 64 bits itself, and knows how many of them are right; what these do not show is said
// to be untold, not 0.
#ifndef ASSAY_COMPILER_ORIGIN_LOSS_H
#define ASSAY_COMPILER_ORIGIN_LOSS_H

#include "compiler/origin/origin.h"

// A value that has lost no more than this of its bits is accurate: 16 units in the last place.
// Sums come to that by rounding alone: where roundings are as good as random n terms are off by
// half of sqrt(n) units, 16 for 1024 terms. (A softmax of 16 loses 2.03 bits, one of 64 4.05.)
#define ASSAY_LOSS_ACCURATE 5.0

// An operation at the time at which it lost bits.
typedef struct assay_loss_event {
  double lost; // bits of the result, of as many as its format has
  double gain; // of those, more than the operand had lost that the loss comes from
  int bits;    // of the format
  int operand_count;
  assay_origin_value operands[ASSAY_ORIGIN_OPERANDS], exact_operands[ASSAY_ORIGIN_OPERANDS];
  assay_origin_format format;
  double result, exact_result;
} assay_loss_event;

// What one run left, in shared memory.
typedef struct assay_loss_log {
  bool seen; // a float in the results was looked at
  int kind, index;
  int64_t element; // of what was observed: the one that has lost most
  double lost;
  int op;                 // of the report's, whose loss is most of that; -1: none
  assay_loss_event event; // of that operation: what led to the element
  // Elements of which it cannot be told whether they have lost more than ASSAY_LOSS_ACCURATE, and
  // the first of them.
  int64_t untold;
  int untold_kind, untold_index;
  int64_t untold_element;
} assay_loss_log;

// As assay_origin_instrument, for shadows. The module's operations are described to this process
// and those it forks.
ASSAY_MUST_USE assay_code assay_loss_instrument(MlirModule module, MlirModule names,
                                                assay_shared *shared, assay_origin_report *report,
                                                assay_error *err);

// Of the process of a run: what follows is written to the log.
void assay_loss_begin(const assay_origin_report *report, assay_loss_log *log);
// An element of the results, numbered as what is observed.
void assay_loss_look(int kind, int index, int64_t element, assay_origin_format format,
                     const void *address);

// What instrumented code calls; the array ends with a NULL name.
typedef struct assay_loss_symbol {
  const char *name;
  void (*address)(void);
} assay_loss_symbol;
const assay_loss_symbol *assay_loss_symbols(void);

#endif
