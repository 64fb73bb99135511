// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans: which jobs share a compilation.
#ifndef ASSAY_HARNESS_RUN_PLAN_H
#define ASSAY_HARNESS_RUN_PLAN_H

#include "harness/run/run.h"

// Jobs of equal programs on one backend, to be done in one child.
typedef struct assay_group {
  const assay_program *program; // NULL where none could be built, as that of a negative case
  const size_t *jobs;           // numbers of jobs, ascending
  size_t count;
} assay_group;

typedef struct assay_plan {
  assay_group *groups; // in the order of their first jobs
  size_t count;
} assay_plan;

// Programs are equal where their fingerprints are. A job without a program is a group of its own.
const assay_plan *assay_plan_make(assay_arena *arena, const assay_job jobs[], size_t count);

#endif
