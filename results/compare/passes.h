// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of both sides' pipelines, aligned.
#ifndef ASSAY_RESULTS_COMPARE_PASSES_H
#define ASSAY_RESULTS_COMPARE_PASSES_H

#include "results/compare/compare.h"

#include <jansson.h>

typedef enum assay_pass_mark {
  ASSAY_PASS_KEPT,
  ASSAY_PASS_ADDED,   // only NEW has it
  ASSAY_PASS_REMOVED, // only BASE has it
  ASSAY_PASS_MOVED,   // both have it, elsewhere among the others; it stands where NEW has it
} assay_pass_mark;

// How a pass that both have differs. Its time has noise, and is told only where none explains it.
enum {
  ASSAY_PASS_DIFFERS_OPS = 1,     // operations before or after it
  ASSAY_PASS_DIFFERS_CHANGED = 2, // whether it changed anything
  ASSAY_PASS_DIFFERS_MARGIN = 4,  // of the state after it, by the thresholds' factor and floor
  ASSAY_PASS_DIFFERS_NAN = 8,     // NaN attributes made
  ASSAY_PASS_DIFFERS_CLASS = 16,  // what it is found to have done wrong
  ASSAY_PASS_DIFFERS_TIME = 32,   // more than ten times as long, and more than 10 ms longer
};

typedef struct assay_pass_pair {
  assay_pass_mark mark;
  const assay_pass_row *base, *new; // one is NULL where it is added or removed
  unsigned differs;
} assay_pass_pair;

typedef struct assay_pass_case {
  const assay_record *base, *new;
  const assay_pass_pair *rows; // in NEW's order; those removed stand behind what they followed
  size_t count;
  double base_seconds, new_seconds; // all passes together; NaN: none was timed
  bool total_differs; // by the rule of ASSAY_PASS_DIFFERS_TIME: many passes may each be below it
  bool first_bad_differs;
} assay_pass_case;

// Cases with the same backend and kind of record in which the same passes differ in the same ways.
typedef struct assay_pass_group {
  const assay_pass_case *const *cases;
  size_t count;
  bool differs; // in anything at all
} assay_pass_group;

typedef struct assay_pass_comparison {
  const assay_pass_case *cases; // those that have passes on both sides, by kind and key
  size_t count;
  const assay_pass_group *groups; // by kind and backend, the largest first
  size_t group_count;
  size_t without; // common cases that one side has no passes of
} assay_pass_comparison;

// Everything in the arena; refers to the request's records.
const assay_pass_comparison *assay_passes_compare(assay_arena *arena,
                                                  const assay_comparison_request *request);

// Aligns two pipelines: a longest common subsequence of names, then what is left on both sides
// under one name is a pass that moved. Returns the number of rows.
size_t assay_passes_align(assay_arena *arena, const assay_pass_row base[], size_t base_count,
                          const assay_pass_row new[], size_t new_count, assay_pass_pair **out_rows);

// More than ten times as long, and more than 10 ms longer; not where one is NaN.
bool assay_pass_takes_far_longer(double base, double new);

// For people, at most 100 columns: each group once, as sums over its cases.
void assay_passes_print(FILE *stream, assay_arena *arena, const assay_pass_comparison *passes,
                        bool color, bool verbose);

// One case as an object.
json_t *assay_pass_case_json(const assay_pass_case *one);

#endif
