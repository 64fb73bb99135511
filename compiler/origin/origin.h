// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a NaN or an infinity comes from: a module of the llvm dialect changed so that each
// operation that makes a float looks at what it made. The first NaN of operands that hold none is
// an event, and the NaN carries the event's number in its bits, so that a NaN in a result tells
// where it was made. Method: compiler/origin/METHOD.md.
#ifndef ASSAY_COMPILER_ORIGIN_ORIGIN_H
#define ASSAY_COMPILER_ORIGIN_ORIGIN_H

#include "compiler/base/shared.h"

#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum assay_origin_kind {
  ASSAY_ORIGIN_NONE, // nothing is looked for
  ASSAY_ORIGIN_NAN,
  ASSAY_ORIGIN_INF,  // what would be infinite becomes a NaN with a number instead
  ASSAY_ORIGIN_LOSS, // compiler/origin/loss.h
} assay_origin_kind;

// Numbers that a NaN can carry, from 1. Where several meet the smallest stays: what an operation
// made, in the order of time, comes before what was there from the start. The last but one stands
// for events for which none was left; the last one for NaN that no infinity led to, where those are
// asked for.
enum {
  ASSAY_ORIGIN_EVENTS = 33,
  ASSAY_ORIGIN_ARGUMENTS = 10,
  ASSAY_ORIGIN_CONSTANTS = 18,
  ASSAY_ORIGIN_OTHERS = ASSAY_ORIGIN_EVENTS + ASSAY_ORIGIN_ARGUMENTS + ASSAY_ORIGIN_CONSTANTS + 1,
  ASSAY_ORIGIN_UNRELATED = ASSAY_ORIGIN_OTHERS + 1,
};
enum { ASSAY_ORIGIN_OPERANDS = 3, ASSAY_ORIGIN_LANES = 8 };

typedef enum assay_origin_format {
  ASSAY_ORIGIN_OTHER, // nothing to show
  ASSAY_ORIGIN_F16,
  ASSAY_ORIGIN_BF16,
  ASSAY_ORIGIN_F32,
  ASSAY_ORIGIN_F64,
  ASSAY_ORIGIN_SIGNED,
  ASSAY_ORIGIN_UNSIGNED,
  ASSAY_ORIGIN_F8, // this and the next ones: floats of a byte, in order of assay_small_float
} assay_origin_format;

// A scalar (0 lanes) or vector as the program holds it.
typedef struct assay_origin_type {
  assay_origin_format format;
  int bytes; // of one element
  int lanes;
} assay_origin_type;

// An operation that is watched, or one that holds a NaN as a constant. In shared memory.
typedef struct assay_origin_op {
  const char *lowered; // "fsub", "call @expf"; "arith.constant"
  const char *name;    // of what the user wrote: "arith.divf"; "" where that is not known
  const char *file;    // "" where the place is not known
  const char *label;   // what stands in the place's stead, as frontends do; ""
  int line, column;
  assay_origin_type result;
  int operand_count;
  assay_origin_type operands[ASSAY_ORIGIN_OPERANDS];
} assay_origin_op;

typedef struct assay_origin_report {
  int op_count;
  const assay_origin_op *ops;
  // Constants that hold what is asked for. NaN carry their numbers, infinities none.
  int constant_count;
  assay_origin_op constants[ASSAY_ORIGIN_CONSTANTS];
} assay_origin_report;

typedef struct assay_origin_value {
  assay_origin_format format;
  int count; // of numbers: 1, or those of a vector that is reduced
  int shown; // so many of them stand here
  double numbers[ASSAY_ORIGIN_LANES];
} assay_origin_value;

typedef struct assay_origin_event {
  int op; // of the report's
  int operand_count;
  assay_origin_value operands[ASSAY_ORIGIN_OPERANDS];
  double result;
} assay_origin_event;

// What one run left, in shared memory. Numbers: events, then arguments, then constants.
typedef struct assay_origin_log {
  int count;
  assay_origin_event events[ASSAY_ORIGIN_EVENTS]; // the first of each operation
  int argument_count;                             // of those that hold what is asked for
  int arguments[ASSAY_ORIGIN_ARGUMENTS];
} assay_origin_log;

// Before a module is lowered: each operation gets a location that tells it from all others, those
// without one that of the operation around them, which is lost when named operations are lowered;
// constants that are NaN get their numbers, and are hidden from those who would fold them.
ASSAY_MUST_USE assay_code assay_origin_prepare(MlirModule module, assay_origin_kind kind,
                                               assay_shared *shared,
                                               assay_origin_report *out_report, assay_error *err);

// Instruments a module wholly in the llvm dialect, in place. names: the program as the user wrote
// it, whose operations are looked up by their place. hasty: a NaN with a number is not looked at
// again, so that of two in one sum either may be told; for programs that compute for long.
ASSAY_MUST_USE assay_code assay_origin_instrument(MlirModule module, assay_origin_kind kind,
                                                  bool hasty, MlirModule names,
                                                  assay_shared *shared, assay_origin_report *report,
                                                  assay_error *err);

// What instrumented code calls.
#define ASSAY_ORIGIN_SYMBOL "assay_origin_event"
void assay_origin_look(int32_t op, void *result, const void *a, const void *b, const void *c);

// Of the process of a run: what follows is written to the log.
void assay_origin_begin(assay_origin_kind kind, const assay_origin_report *report,
                        assay_origin_log *log);
// Count elements of an argument, which get a number where they are NaN; infinities are noted.
void assay_origin_mark(int argument, assay_origin_format format, void *elements, int count);

// The number that a NaN carries; 0 where it carries none, is UNRELATED, or is none.
int assay_origin_number(assay_origin_format format, const void *element);
// Whether it is a NaN that is known to be of no infinity, where those are asked for.
bool assay_origin_is_unrelated(assay_origin_format format, const void *element);

#endif
