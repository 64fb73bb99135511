// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outcomes: what came of a job, as the child sends it, and the record it becomes.
#ifndef ASSAY_HARNESS_RUN_OUTCOME_H
#define ASSAY_HARNESS_RUN_OUTCOME_H

#include "harness/run/run.h"

enum { ASSAY_OUTCOME_REASON = 2048 };

// Flat, since it crosses a process boundary: no pointer of it is followed on the other side
// (worst.part is carried by the array part).
typedef struct assay_outcome {
  assay_verdict verdict;
  bool compared, exact, named, resident, diagnosed; // the checks that were made
  uint32_t properties; // those that were checked: bits by their number in the catalogue
  bool sampled;
  double margin; // NaN where no comparison was made
  assay_worst worst;
  char part[16];
  double seconds_compile, seconds_run; // NaN where it did not come to that
  assay_counters counters;
  char reason[ASSAY_OUTCOME_REASON];
  char note[256]; // what the backend has to tell besides, whatever the verdict; "" for nothing
} assay_outcome;

// A PASS of which nothing was measured yet.
void assay_outcome_pass(assay_outcome *outcome);

// A verdict before any check was made, with its reason as a printf format; cut where too long.
ASSAY_PRINTF(3, 4)
void assay_outcome_set(assay_outcome *outcome, assay_verdict verdict, const char *format, ...);

// Makes an outcome that came from a child safe to read; false where the child's memory was damaged
// so far that it is none.
bool assay_outcome_repair(assay_outcome *outcome);

// The record of a job's outcome, in the arena: FAIL, ERROR, CRASH and TIMEOUT of a known gap become
// XFAIL, and its PASS an XPASS. started: UTC, ISO 8601.
const assay_record *assay_outcome_record(assay_arena *arena, const assay_job *job,
                                         const assay_outcome *outcome, const char *started,
                                         const assay_environment *environment);

#endif
