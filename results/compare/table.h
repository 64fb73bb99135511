// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison as a table for people, at most 100 columns, and as JSON.
#ifndef ASSAY_RESULTS_COMPARE_TABLE_H
#define ASSAY_RESULTS_COMPARE_TABLE_H

#include "results/compare/compare.h"
#include "results/compare/passes.h"

#include <stdio.h>

// Findings first, then other changes; rows that are SAME are counted, but for timings of pairs, and
// with many rows of one kind the rest of them, unless `verbose`. The last line is the summary.
void assay_comparison_print(FILE *stream, assay_arena *arena, const assay_comparison *comparison,
                            bool color, bool verbose);

// Both values of a row in words, as the table shows them; "-" where there is none.
void assay_comparison_values(assay_arena *arena, const assay_comparison_row *row,
                             const char **out_base, const char **out_new);

// "3 records of kind bench vanished: NEW has none", in the arena; NULL where both sides have that
// kind, or neither.
const char *assay_comparison_lone_kind(assay_arena *arena, const assay_comparison *comparison,
                                       assay_record_kind kind);

// "6500 cases: 1 VANISHED, 2 SLOWER, 6400 SAME; the gate fails on 3 rows", in the arena; "the gate
// passes" only where nothing that was to be timed is missing.
const char *assay_comparison_summary(assay_arena *arena, const assay_comparison *comparison);

// {"rows":[...],"passes":[...],"false_alarm_rate","paired","summary":{...}}; passes: NULL leaves
// them out. Whether it could be written is the stream's to say.
void assay_comparison_print_json(FILE *stream, assay_arena *arena,
                                 const assay_comparison *comparison,
                                 const assay_pass_comparison *passes);

#endif
