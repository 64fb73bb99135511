// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sets of records, row by row.
#ifndef ASSAY_RESULTS_COMPARE_COMPARE_H
#define ASSAY_RESULTS_COMPARE_COMPARE_H

#include "results/compare/thresholds.h"
#include "results/record/record.h"

typedef enum assay_change {
  ASSAY_SAME,
  ASSAY_FASTER,
  ASSAY_SLOWER,
  ASSAY_UNSURE,   // a timing or a counter that cannot be told, with the reason
  ASSAY_CHANGED,  // a verdict, a margin or a counter
  ASSAY_NEW,      // a case that only NEW has, or a counter
  ASSAY_VANISHED, // a case that only BASE has, or a timing of one that passes
  ASSAY_CHANGE_COUNT
} assay_change;

const char *assay_change_name(assay_change change); // "SLOWER"

typedef enum assay_metric_kind {
  ASSAY_METRIC_VERDICT,
  ASSAY_METRIC_MARGIN,
  ASSAY_METRIC_RUN, // seconds
  ASSAY_METRIC_COMPILE,
  ASSAY_METRIC_COUNTER,
} assay_metric_kind;

typedef struct assay_comparison_row {
  const assay_record *base, *new; // NULL: not there
  assay_metric_kind kind;
  const char *metric;           // "run", "verdict", a counter's name
  double base_value, new_value; // a timing's medians in seconds; NaN: none, and of verdicts
  // A counter's, exactly; NULL where it was not counted before, or is not any more. Else both are
  // NULL.
  const assay_counter *base_counter, *new_counter;
  // new / base; NaN where there is none. Of a timing it has an interval [low, high], else both are
  // NaN. Of pairs it is the Hodges-Lehmann estimate: the medians of both sides hold what moved
  // between the pairs, too.
  double ratio, low, high;
  double p;        // of a timing: two-sided, that there is no difference; else NaN
  bool comparable; // of a timing: taken in one environment, so that it could be judged
  assay_change change;
  bool worse;         // SLOWER, VANISHED, CHANGED for the worse, and NEW with a bad verdict
  bool gates;         // it fails the gate; it is worse then
  bool whole_kind;    // NEW, but not bad, or VANISHED, as are all records of its kind
  const char *reason; // why it is UNSURE, or what a change means; may be NULL
} assay_comparison_row;

// Kinds of records of which one side has none at all: their rows are told together.
typedef struct assay_lone_kind {
  size_t base, new; // cases; one is 0
  bool gates;       // any of their rows
} assay_lone_kind;

// Timings of many cases that moved one way, though each may be within its band: no verdict.
typedef struct assay_shift {
  size_t count, one_way; // timings, and those that moved that way; count 0: there is none
  double median;         // of new / base
} assay_shift;

typedef struct assay_comparison {
  const assay_comparison_row *rows; // by kind of record and key, as the metrics of above
  size_t count;
  size_t cases; // that both have
  size_t changes[ASSAY_CHANGE_COUNT];
  size_t worse, gates;     // rows
  size_t timings;          // rows that could be called SLOWER or FASTER
  double false_alarm_rate; // the probability that any of those is called so where nothing changed
  assay_shift run_shift, compile_shift;
  bool paired;
  size_t untimed, wrong;                               // as the request has it
  assay_lone_kind lone_kinds[ASSAY_RECORD_KIND_COUNT]; // all 0: both have it, or neither
} assay_comparison;

typedef struct assay_comparison_request {
  const assay_record *base, *new;
  size_t base_count, new_count;
  const assay_thresholds *thresholds;
  bool paired; // samples with one index were taken side by side
  // Cases that were to be timed, and were not on both sides; of these the ones that are no known
  // gap: a wrong answer, a crash, a build that stopped answering. The gate does not pass with any.
  size_t untimed, wrong;
} assay_comparison_request;

// Everything in the arena; rows refer to the records given. Of several records of one kind and key
// the last counts. ASSAY_INVALID where no case is in both.
ASSAY_MUST_USE assay_code assay_comparison_make(assay_arena *arena,
                                                const assay_comparison_request *request,
                                                const assay_comparison **out_comparison,
                                                assay_error *err);

#endif
