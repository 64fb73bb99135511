// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/exact.h"

#include "compiler/base/text.h"
#include "results/compare/differ.h"

#include <math.h>
#include <string.h>

// How good a verdict is, from the best.
static int rank(assay_verdict verdict) {
  switch (verdict) {
  case ASSAY_PASS:
    return 0;
  case ASSAY_WARN:
    return 1;
  case ASSAY_XFAIL:
  case ASSAY_SKIP:
    return 2;
  default:
    return 3;
  }
}

// A case that is skipped now is looked at no more than one that vanished. A known gap was written
// down by somebody, and stays visible there.
static bool verdict_gates(assay_verdict base, assay_verdict new) {
  if (assay_verdict_is_bad(new))
    return !assay_verdict_is_bad(base);
  return new == ASSAY_SKIP && base != ASSAY_SKIP && base != ASSAY_XFAIL;
}

static const char *verdict_reason(assay_arena *arena, const assay_record *now) {
  if (now->first_bad.n == 0)
    return now->reason;
  return assay_arena_format(arena, "first bad pass %d %s (%s)%s%s", now->first_bad.n,
                            now->first_bad.name != NULL ? now->first_bad.name : "?",
                            now->first_bad.fault != NULL ? now->first_bad.fault : "?",
                            now->reason != NULL ? ": " : "",
                            now->reason != NULL ? now->reason : "");
}

static const char *tell_place(assay_arena *arena, const assay_record *record) {
  return assay_arena_format(arena, "%s at %d %s (%s)", assay_verdict_name(record->verdict),
                            record->first_bad.n,
                            record->first_bad.name != NULL ? record->first_bad.name : "?",
                            record->first_bad.fault != NULL ? record->first_bad.fault : "?");
}

// One word for another failure. A pass keeps its name where one before it was inserted, but not its
// number; where nobody looked for it on a side nothing is known.
static void compare_places(assay_arena *arena, const assay_limits *limits,
                           assay_comparison_row *row) {
  const assay_first_bad *base = &row->base->first_bad, *new = &row->new->first_bad;
  if (base->n == 0 || new->n == 0 ||
      (assay_text_equal(base->name, new->name) && assay_text_equal(base->fault, new->fault)))
    return;
  row->change = ASSAY_CHANGED;
  row->worse = row->gates = limits->first_bad_gate;
  row->reason = assay_arena_format(arena, "%s -> %s", tell_place(arena, row->base),
                                   tell_place(arena, row->new));
}

void assay_exact_new(assay_arena *arena, const assay_limits *limits, assay_comparison_row *row) {
  row->change = ASSAY_NEW;
  row->worse = assay_verdict_is_bad(row->new->verdict);
  row->gates = row->worse && limits->new_gate;
  row->reason = row->worse ? verdict_reason(arena, row->new) : NULL;
}

void assay_exact_verdict(assay_arena *arena, const assay_limits *limits,
                         assay_comparison_row *row) {
  assay_verdict base = row->base->verdict, new = row->new->verdict;
  if (base == new) {
    compare_places(arena, limits, row);
    return;
  }
  row->change = ASSAY_CHANGED;
  bool guarded = verdict_gates(base, new);
  row->worse = guarded || rank(new) > rank(base);
  row->gates = guarded && limits->verdict_gate;
  row->reason = verdict_reason(arena, row->new);
}

// 1 of two zeros and of two infinities.
static double divide(double now, double base) {
  return now == base ? 1 : now / base;
}

void assay_exact_margin(const assay_limits *limits, assay_comparison_row *row) {
  double base = row->base->margin, new = row->new->margin;
  row->base_value = base;
  row->new_value = new;
  if (isnan(new)) {
    // Where it does not pass any more, the verdict's row says why.
    row->change = ASSAY_CHANGED;
    row->worse = row->new->verdict == ASSAY_PASS;
    row->gates = row->worse && limits->margin_gate;
    row->reason = "nothing is compared with the reference any more";
    return;
  }
  if (isnan(base)) {
    row->change = ASSAY_CHANGED;
    row->reason = "nothing was compared with the reference before";
    return;
  }
  row->ratio = divide(new, base);
  // A factor that was written in decimals is met by numbers that were.
  double factor = limits->margin_factor * (1 - 1e-12);
  row->worse = new >= limits->margin_floor && new > base && new >= base * factor;
  bool better = base >= limits->margin_floor && base > new && base >= new * factor;
  row->change = row->worse || better ? ASSAY_CHANGED : ASSAY_SAME;
  row->gates = row->worse && limits->margin_gate && new > limits->margin_gate_above;
}

// What is not counted any more may have become anything: every gate but "no" closes.
static void lose_counter(const assay_thresholds *thresholds, assay_comparison_row *row) {
  assay_counter_limits limits = assay_thresholds_counter(thresholds, row->base->key, row->metric);
  row->change = ASSAY_CHANGED;
  row->worse = true;
  row->gates = limits.gate != ASSAY_COUNTER_NO;
  row->reason = "it is not counted any more";
}

static void judge_counter(const assay_thresholds *thresholds, assay_comparison_row *row) {
  if (row->base_counter == NULL) {
    row->new_value = (double)row->new_counter->value;
    row->change = ASSAY_NEW;
    row->reason = "it was not counted before";
    return;
  }
  int64_t base = row->base_counter->value;
  row->base_value = (double)base;
  if (row->new_counter == NULL) {
    lose_counter(thresholds, row);
    return;
  }
  int64_t now = row->new_counter->value;
  row->new_value = (double)now;
  row->ratio = now == base ? 1 : row->new_value / row->base_value;
  if (base == now)
    return;
  assay_counter_limits limits = assay_thresholds_counter(thresholds, row->base->key, row->metric);
  bool more = now > base;
  // Not of doubles, which do not tell 2^53 from the next.
  uint64_t apart = more ? (uint64_t)now - (uint64_t)base : (uint64_t)base - (uint64_t)now;
  bool guarded = limits.gate == ASSAY_COUNTER_CHANGE ||
                 limits.gate == (more ? ASSAY_COUNTER_MORE : ASSAY_COUNTER_LESS);
  row->change = ASSAY_CHANGED;
  row->worse = guarded || (more && limits.gate == ASSAY_COUNTER_NO);
  row->gates = guarded && (double)apart > limits.effect * fabs(row->base_value);
}

void assay_exact_counter(assay_arena *arena, const assay_thresholds *thresholds,
                         assay_comparison_row *row) {
  judge_counter(thresholds, row);
  const char *obstacle = assay_differ_in_counting(arena, row->base, row->new, row->metric);
  if (row->change == ASSAY_SAME || obstacle == NULL)
    return;
  row->change = ASSAY_UNSURE;
  row->worse = row->gates = false;
  row->reason = obstacle;
}
