// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a NaN or an infinity comes from, exactly: the shadow of each value is the number of the
// event that made it, an operation as it ran once. The program computes and branches as it does
// without. Method: compiler/origin/METHOD.md.
#ifndef ASSAY_COMPILER_ORIGIN_EXACT_H
#define ASSAY_COMPILER_ORIGIN_EXACT_H

#include "compiler/origin/loss.h"

enum { ASSAY_EXACT_EVENTS = 2048, ASSAY_EXACT_RANGES = 4096 };

typedef enum assay_exact_source {
  ASSAY_EXACT_NONE, // is not what is asked for, or, of a NaN, nothing infinite led to it
  ASSAY_EXACT_EVENT,
  ASSAY_EXACT_LATE, // an operation, whose operands were not kept: too many events came before
  ASSAY_EXACT_ARGUMENT,
  ASSAY_EXACT_CONSTANT, // of the report's
  ASSAY_EXACT_UNKNOWN,  // it came by a way that is not followed
} assay_exact_source;

// Neighbouring elements of what is observed that are from one source.
typedef struct assay_exact_range {
  int kind, index; // as in assay_loss_log
  int64_t first, count;
  int number;
} assay_exact_range;

// What one run left, in shared memory. Of two sources the one with the smaller number was first;
// what an operation made comes before what was there from the start.
typedef struct assay_exact_log {
  int event_count, range_count;
  assay_origin_event events[ASSAY_EXACT_EVENTS];
  assay_exact_range ranges[ASSAY_EXACT_RANGES]; // in the order of the elements; those that fit
} assay_exact_log;

// out_index: of the log's events, of the report's operations or constants, of the arguments.
assay_exact_source assay_exact_source_of(int number, int *out_index);
// The number of an element; 0: it has none, or did not fit.
int assay_exact_number(const assay_exact_log *log, int kind, int index, int64_t element);

// As assay_loss_instrument, after assay_origin_prepare.
ASSAY_MUST_USE assay_code assay_exact_instrument(MlirModule module, assay_origin_kind kind,
                                                 MlirModule names, assay_shared *shared,
                                                 assay_origin_report *report, assay_error *err);

// Of the process of a run: what follows is written to the log. kind: NAN or INF.
void assay_exact_begin(assay_origin_kind kind, const assay_origin_report *report,
                       assay_exact_log *log);
// Count elements of an argument, one behind the other.
void assay_exact_mark(int argument, assay_origin_format format, const void *elements, int count);
// As assay_loss_look; printed: what a call hands over, wherever it stands.
void assay_exact_look(int kind, int index, int64_t element, assay_origin_format format,
                      const void *address);

const assay_loss_symbol *assay_exact_symbols(void);

#endif
