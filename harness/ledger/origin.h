// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a NaN or an infinity in the results was made: the operation, in the user's file.
#ifndef ASSAY_HARNESS_LEDGER_ORIGIN_H
#define ASSAY_HARNESS_LEDGER_ORIGIN_H

#include "harness/ledger/states.h"

// Everything in the arena.
typedef struct assay_origin_answer {
  assay_origin_kind kind;
  const char *none;    // why there is no answer; NULL where there is one
  const char *name;    // "linalg.softmax"; of an argument "argument 2"
  const char *file;    // "" where the place is not known
  int line, column;    // from 1
  const char *lowered; // what the operation had become, "fsub"; "" of an argument or a constant
  int operand_count;   // of what it had become
  const char *operands[ASSAY_ORIGIN_OPERANDS]; // "0", "-inf", "[1, inf]"
  const char *result;                          // "nan"
  const char *element; // that it reaches: "result 0[2, 3]"; of a guess one that is like it
  const char *data;    // "int", "real"; "" where the data are the user's or the program's own
  int row;             // of the state; -1: the input
  bool certain;        // false: the first that was made, whether or not it got to a result
} assay_origin_answer;

// Answers the questions that the request asks besides, into answer->origins: for the input where
// its own results hold what is asked for, else for the first state that does.
ASSAY_MUST_USE assay_code assay_origins_find(const assay_ledger_request *request,
                                             assay_arena *arena, const assay_trial *trial,
                                             const assay_steps *steps, const assay_states *states,
                                             assay_ledger_answer *answer, assay_error *err);

const char *assay_origin_kind_name(assay_origin_kind kind); // "nan"
// "nan origin: arith.divf at x.mlir:12:8 of 0, 0, seen in result 0[2, 3]"; in the arena.
const char *assay_origin_sentence(assay_arena *arena, const assay_ledger_answer *answer,
                                  const assay_origin_answer *origin);

#endif
