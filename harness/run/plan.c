// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/plan.h"

#include <stdlib.h>

typedef struct entry {
  size_t job;
  const assay_opened *opened;
  const assay_program *program;
  uint64_t fingerprint; // 0 without a program
} entry;

static int compare_sizes(size_t a, size_t b) {
  return (a > b) - (a < b);
}

static bool share(const entry *a, const entry *b) {
  return b->program != NULL && a->opened == b->opened && a->fingerprint == b->fingerprint;
}

// Entries that share stand together, and in each such run the jobs ascend.
static int compare_entries(const void *a, const void *b) {
  const entry *left = a, *right = b;
  if (left->fingerprint != right->fingerprint)
    return left->fingerprint < right->fingerprint ? -1 : 1;
  if (left->opened != right->opened)
    return (uintptr_t)left->opened < (uintptr_t)right->opened ? -1 : 1;
  return compare_sizes(left->job, right->job);
}

static int compare_groups(const void *a, const void *b) {
  return compare_sizes(((const assay_group *)a)->jobs[0], ((const assay_group *)b)->jobs[0]);
}

// Jobs of one case follow each other, so its program is built once for all of them.
static entry *make_entries(assay_arena *arena, const assay_job jobs[], size_t count) {
  entry *entries = assay_arena_take(arena, count, sizeof *entries);
  for (size_t i = 0; i < count; i++) {
    entry *made = &entries[i];
    if (i > 0 && jobs[i].a_case == jobs[i - 1].a_case)
      *made = entries[i - 1];
    else {
      assay_error why; // told by the job's child, which builds it again
      if (assay_case_build(arena, jobs[i].a_case, &made->program, &why) != ASSAY_OK)
        made->program = NULL;
      else
        made->fingerprint = assay_program_fingerprint(made->program);
    }
    made->job = i;
    made->opened = jobs[i].opened;
  }
  return entries;
}

const assay_plan *assay_plan_make(assay_arena *arena, const assay_job jobs[], size_t count) {
  assay_plan *plan = assay_arena_take(arena, 1, sizeof *plan);
  if (count == 0)
    return plan;
  entry *entries = make_entries(arena, jobs, count);
  qsort(entries, count, sizeof *entries, compare_entries);
  size_t *numbers = assay_arena_take(arena, count, sizeof *numbers);
  plan->groups = assay_arena_take(arena, count, sizeof *plan->groups);
  for (size_t i = 0; i < count; i++) {
    numbers[i] = entries[i].job;
    if (i == 0 || !share(&entries[i - 1], &entries[i]))
      plan->groups[plan->count++] =
          (assay_group){.program = entries[i].program, .jobs = &numbers[i]};
    plan->groups[plan->count - 1].count++;
  }
  qsort(plan->groups, plan->count, sizeof *plan->groups, compare_groups);
  return plan;
}
