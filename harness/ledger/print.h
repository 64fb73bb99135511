// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ledger's answer for people, and as JSON.
#ifndef ASSAY_HARNESS_LEDGER_PRINT_H
#define ASSAY_HARNESS_LEDGER_PRINT_H

#include "harness/ledger/ledger.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

// A table of the executions that changed the module (all: of each), at most 100 columns wide, and
// the lines of the answer: "first bad pass: N NAME (CLASS)" or "no bad pass", "first changing pass:
// N NAME", "nan origin: ...", "pipeline failed at N NAME: MESSAGE", "inconclusive: REASON".
void assay_ledger_print(FILE *stream, const assay_ledger_answer *answer, bool all, bool color);

// The answer's line alone: "first bad pass: 3 cse (miscompile)", in the arena.
const char *assay_ledger_sentence(assay_arena *arena, const assay_ledger_answer *answer);

// What inside the pass did it: "step transform.structured.fuse at x.mlir:12:8", "pattern NAME on OP
// at x.mlir:8:10", or both; in the arena. NULL where nothing was isolated.
const char *assay_ledger_inside(assay_arena *arena, const assay_ledger_answer *answer);

// The object of --json; the caller's to release (json_decref). pipeline: as text. before, after:
// files of the bundle, or NULL.
json_t *assay_ledger_json(const assay_ledger_answer *answer, const char *input,
                          const char *pipeline, const char *before, const char *after);
// Its first_bad alone: an object, or JSON's null.
json_t *assay_ledger_json_blame(const assay_ledger_answer *answer, const char *before,
                                const char *after);

// One answer to where a NaN or an infinity was made: an object, or JSON's null where there is none.
json_t *assay_ledger_json_origin(const assay_ledger_answer *answer,
                                 const assay_origin_answer *origin);

// The exit code of the command line: 1 where a pass is accused, 2 where the question could not be
// answered, else 0.
int assay_ledger_status(const assay_ledger_answer *answer);

#endif
