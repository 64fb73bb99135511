// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/passes.h"

#include "compiler/base/text.h"
#include "results/compare/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

// Margins of states that both sides ran.
static bool margins_differ(const assay_limits *limits, const assay_pass_row *before,
                           const assay_pass_row *after) {
  double base = before->margin, new = after->margin;
  double low = fmin(base, new), high = fmax(base, new);
  if (before->margin_nan != after->margin_nan)
    return true;
  return !isnan(base) && !isnan(new) && high >= limits->margin_floor && high > low &&
         high >= low * limits->margin_factor;
}

bool assay_pass_takes_far_longer(double base, double new) {
  enum { TIMES = 10 };
  const double least = 10e-3;
  return new > TIMES * base && new - base > least; // neither where one is NaN
}

static unsigned compare_rows(const assay_limits *limits, const assay_pass_pair *row) {
  if (row->base == NULL || row->new == NULL)
    return 0;
  const assay_pass_row *base = row->base, *new = row->new;
  bool ops = base->ops_before != new->ops_before || base->ops_after != new->ops_after;
  return (ops ? ASSAY_PASS_DIFFERS_OPS : 0U) |
         (base->changed != new->changed ? ASSAY_PASS_DIFFERS_CHANGED : 0U) |
         (margins_differ(limits, base, new) ? ASSAY_PASS_DIFFERS_MARGIN : 0U) |
         (base->nan_added != new->nan_added ? ASSAY_PASS_DIFFERS_NAN : 0U) |
         (!is_same_text(base->fault, new->fault) ? ASSAY_PASS_DIFFERS_CLASS : 0U) |
         (assay_pass_takes_far_longer(base->seconds, new->seconds) ? ASSAY_PASS_DIFFERS_TIME : 0U);
}

// NaN where no pass was timed.
static double sum_seconds(const assay_record *record) {
  double sum = NAN;
  for (size_t i = 0; i < record->pass_count; i++)
    if (!isnan(record->passes[i].seconds))
      sum = (isnan(sum) ? 0 : sum) + record->passes[i].seconds;
  return sum;
}

static assay_pass_case compare_case(assay_arena *arena, const assay_thresholds *thresholds,
                                    const assay_joined *pair) {
  const assay_record *base = pair->base, *new = pair->new;
  assay_pass_pair *rows;
  size_t count = assay_passes_align(arena, base->passes, base->pass_count, new->passes,
                                    new->pass_count, &rows);
  assay_limits limits = assay_thresholds_of(thresholds, base->key);
  for (size_t i = 0; i < count; i++)
    rows[i].differs = compare_rows(&limits, &rows[i]);
  double old_seconds = sum_seconds(base), new_seconds = sum_seconds(new);
  // A pass keeps its name where one before it was inserted, but not its number.
  bool first_bad = !is_same_text(base->first_bad.n > 0 ? base->first_bad.name : NULL,
                                 new->first_bad.n > 0 ? new->first_bad.name : NULL) ||
                   !is_same_text(base->first_bad.fault, new->first_bad.fault);
  return (assay_pass_case){.base = base,
                           .new = new,
                           .rows = rows,
                           .count = count,
                           .base_seconds = old_seconds,
                           .new_seconds = new_seconds,
                           .total_differs = assay_pass_takes_far_longer(old_seconds, new_seconds),
                           .first_bad_differs = first_bad};
}

// A case, and in which ways its passes differ.
typedef struct signed_case {
  const assay_pass_case *pass_case;
  uint64_t signature;
  bool differs;
} signed_case;

static signed_case sign(const assay_pass_case *one) {
  signed_case made = {one, ASSAY_HASH_START, one->first_bad_differs || one->total_differs};
  made.signature = assay_hash_bytes(made.signature, one->total_differs ? "+" : "", 1);
  for (size_t i = 0; i < one->count; i++) {
    const assay_pass_pair *row = &one->rows[i];
    const char *name = (row->new != NULL ? row->new : row->base)->name;
    made.signature = assay_hash_bytes(made.signature, name, strlen(name) + 1);
    made.signature = assay_hash_bytes(made.signature, &row->mark, sizeof row->mark);
    made.signature = assay_hash_bytes(made.signature, &row->differs, sizeof row->differs);
    made.differs = made.differs || row->mark != ASSAY_PASS_KEPT || row->differs != 0;
  }
  if (one->first_bad_differs) {
    const char *names[] = {one->base->first_bad.name, one->base->first_bad.fault,
                           one->new->first_bad.name, one->new->first_bad.fault};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
      if (names[i] != NULL)
        made.signature = assay_hash_bytes(made.signature, names[i], strlen(names[i]) + 1);
    made.signature = assay_hash_bytes(made.signature, "!", 1);
  }
  return made;
}

static int compare_pipelines(const assay_pass_case *a, const assay_pass_case *b) {
  if (a->new->kind != b->new->kind)
    return a->new->kind < b->new->kind ? -1 : 1;
  return strcmp(a->new->backend, b->new->backend);
}

static int by_signature(const void *a, const void *b) {
  const signed_case *x = a, *y = b;
  int order = compare_pipelines(x->pass_case, y->pass_case);
  if (order != 0)
    return order;
  if (x->signature != y->signature)
    return x->signature < y->signature ? -1 : 1;
  return (x->pass_case > y->pass_case) - (x->pass_case < y->pass_case);
}

static int by_pipeline_and_size(const void *a, const void *b) {
  const assay_pass_group *x = a, *y = b;
  int order = compare_pipelines(x->cases[0], y->cases[0]);
  if (order != 0)
    return order;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return (x->cases[0] > y->cases[0]) - (x->cases[0] < y->cases[0]);
}

static void group(assay_arena *arena, assay_pass_comparison *comparison) {
  signed_case *all = assay_arena_take(arena, comparison->count + 1, sizeof *all);
  const assay_pass_case **ordered = assay_arena_take(arena, comparison->count + 1, sizeof *ordered);
  assay_pass_group *groups = assay_arena_take(arena, comparison->count + 1, sizeof *groups);
  for (size_t i = 0; i < comparison->count; i++)
    all[i] = sign(&comparison->cases[i]);
  qsort(all, comparison->count, sizeof *all, by_signature);
  for (size_t i = 0; i < comparison->count; i++) {
    ordered[i] = all[i].pass_case;
    bool begins = i == 0 || all[i].signature != all[i - 1].signature ||
                  compare_pipelines(ordered[i], ordered[i - 1]) != 0;
    if (begins)
      groups[comparison->group_count++] =
          (assay_pass_group){.cases = &ordered[i], .differs = all[i].differs};
    groups[comparison->group_count - 1].count++;
  }
  qsort(groups, comparison->group_count, sizeof *groups, by_pipeline_and_size);
  comparison->groups = groups;
}

const assay_pass_comparison *assay_passes_compare(assay_arena *arena,
                                                  const assay_comparison_request *request) {
  size_t count;
  assay_joined *pairs = assay_join(arena, request->base, request->base_count, request->new,
                                   request->new_count, &count);
  assay_pass_comparison *comparison = assay_arena_take(arena, 1, sizeof *comparison);
  assay_pass_case *cases = assay_arena_take(arena, count + 1, sizeof *cases);
  for (size_t i = 0; i < count; i++) {
    if (pairs[i].base == NULL || pairs[i].new == NULL)
      continue;
    if (pairs[i].base->pass_count > 0 && pairs[i].new->pass_count > 0)
      cases[comparison->count++] = compare_case(arena, request->thresholds, &pairs[i]);
    else
      comparison->without += pairs[i].base->pass_count > 0 || pairs[i].new->pass_count > 0;
  }
  comparison->cases = cases;
  group(arena, comparison);
  return comparison;
}
