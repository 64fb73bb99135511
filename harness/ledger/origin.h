// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a NaN or an infinity in the results was made: the operation, in the user's file.
#ifndef ASSAY_HARNESS_LEDGER_ORIGIN_H
#define ASSAY_HARNESS_LEDGER_ORIGIN_H

#include "harness/ledger/states.h"

bool assay_origins_asked(const assay_ledger_request *request);
// Answers the questions that the request asks besides, into answer->origins: for what a pass that
// answer->blame names made wrong; else for the input where its own results hold what is asked for;
// else for the first state that does.
ASSAY_MUST_USE assay_code assay_origins_find(const assay_ledger_request *request,
                                             assay_arena *arena, const assay_trial *trial,
                                             const assay_steps *steps, const assay_states *states,
                                             assay_ledger_answer *answer, assay_error *err);

const char *assay_origin_kind_name(assay_origin_kind kind); // "nan"
// "nan origin: arith.divf at x.mlir:12:8 of 0, 0, seen in result 0[2, 3]"; in the arena.
const char *assay_origin_sentence(assay_arena *arena, const assay_ledger_answer *answer,
                                  const assay_origin_answer *origin);

// The digits that tell a number from all others of its format; a value, of one number or more. In
// the arena.
const char *assay_origin_number_text(assay_arena *arena, assay_origin_format format, double value);
const char *assay_origin_value_text(assay_arena *arena, const assay_origin_value *value);
// " at x.mlir:12:8", ' at "layer"', "" of an argument; in the arena.
const char *assay_origin_place_text(assay_arena *arena, const assay_origin_answer *origin);
// An event, with its operands, into the answer; an operation's name and place.
void assay_origin_tell_event(assay_arena *arena, const assay_origin_report *report,
                             const assay_origin_event *event, assay_origin_answer *answer);
void assay_origin_tell_place(assay_arena *arena, const assay_origin_op *op,
                             assay_origin_answer *answer);

// What the data set of a run, of one for each of the entry, is called; "" where the data are the
// user's or the program's own.
const char *assay_origin_data(const assay_trial *trial, int run);

// A run that watches, by the tail that it names or else the other one: what is watched may stop the
// first.
ASSAY_MUST_USE assay_code assay_origin_run(const assay_trial *trial,
                                           const assay_subject_entry *entry, const char *doing,
                                           const assay_run_wanted *wanted,
                                           const assay_tail_answer **out_answer, assay_error *err);

#endif
