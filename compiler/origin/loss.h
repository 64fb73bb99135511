// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where digits are lost: beside each float of a program runs its shadow, what it would be with more
// digits. An operation whose result is farther from its shadow than its operands are from theirs
// has lost bits; each shadow remembers the operation that lost most of them on the way to it.
//
// Followed: arithmetic, libm, vectors and arrays of them, memory and its copies, loops, calls.
// Not followed: whole numbers made from floats, rounding to whole numbers and remainders, calls of
// functions that nothing defines, several results of one function: the shadow starts again from the
// value. Branches are taken as the program takes them.
#ifndef ASSAY_COMPILER_ORIGIN_LOSS_H
#define ASSAY_COMPILER_ORIGIN_LOSS_H

#include "compiler/origin/origin.h"

// A value of the program that is lost less than this of its bits is accurate.
#define ASSAY_LOSS_ACCURATE 2.0

// The time at which an operation lost most.
typedef struct assay_loss_event {
  double lost; // bits of the result, of as many as its format has
  double gain; // of those, more than any operand had lost
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
  int op;                    // of the report's, that lost most on the way to it; -1: none
  assay_loss_event events[]; // by operation
} assay_loss_log;
size_t assay_loss_log_size(const assay_origin_report *report);

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
