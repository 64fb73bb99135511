// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/compare.h"

#include "compiler/base/text.h"
#include "results/compare/exact.h"
#include "results/compare/join.h"
#include "results/compare/shift.h"
#include "results/compare/timing.h"

#include <math.h>
#include <string.h>

const char *assay_change_name(assay_change change) {
  static const char *const names[ASSAY_CHANGE_COUNT] = {
      [ASSAY_SAME] = "SAME",        [ASSAY_FASTER] = "FASTER",   [ASSAY_SLOWER] = "SLOWER",
      [ASSAY_UNSURE] = "UNSURE",    [ASSAY_CHANGED] = "CHANGED", [ASSAY_NEW] = "NEW",
      [ASSAY_VANISHED] = "VANISHED"};
  return names[change];
}

typedef struct comparing {
  assay_arena *arena;
  const assay_comparison_request *request;
  assay_comparison *comparison;
  assay_comparison_row *rows;
  size_t count;
} comparing;

static assay_comparison_row *add(comparing *work, const assay_joined *pair, assay_metric_kind kind,
                                 const char *metric) {
  assay_comparison_row *row = &work->rows[work->count++];
  *row = (assay_comparison_row){.base = pair->base,
                                .new = pair->new,
                                .kind = kind,
                                .metric = metric,
                                .base_value = NAN,
                                .new_value = NAN,
                                .ratio = NAN,
                                .low = NAN,
                                .high = NAN,
                                .p = NAN};
  return row;
}

static void add_lone(comparing *work, const assay_joined *pair) {
  const assay_record *there = pair->base != NULL ? pair->base : pair->new;
  assay_lone_kind *kind = &work->comparison->lone_kinds[there->kind];
  const assay_limits limits = assay_thresholds_of(work->request->thresholds, there->key);
  assay_comparison_row *row = add(work, pair, ASSAY_METRIC_VERDICT, "verdict");
  row->whole_kind = kind->base > 0 || kind->new > 0;
  if (pair->base == NULL) {
    assay_exact_new(work->arena, &limits, row);
    row->whole_kind = row->whole_kind && !row->worse; // that is told of each
    return;
  }
  row->change = ASSAY_VANISHED;
  row->worse = true;
  row->gates = limits.vanished_gate && (!row->whole_kind || limits.vanished_kind_gate);
  kind->gates = kind->gates || (row->whole_kind && row->gates);
}

// What does not pass has no timings nor counters, and its verdict says why.
static bool is_passed(const assay_record *record) {
  return record->verdict == ASSAY_PASS || record->verdict == ASSAY_WARN;
}

static void add_timing(comparing *work, const assay_joined *pair, assay_metric_kind kind,
                       const char *metric) {
  bool lost = assay_timing_samples(pair->new, kind).count == 0;
  if (assay_timing_samples(pair->base, kind).count == 0 || (lost && !is_passed(pair->new)))
    return;
  assay_comparison_row *row = add(work, pair, kind, metric);
  if (lost)
    return;
  row->reason =
      assay_timing_obstacle(work->arena, row, work->request->paired,
                            assay_thresholds_alarm(work->request->thresholds).peak_difference);
  row->comparable = row->reason == NULL;
  work->comparison->timings += row->comparable;
}

static void add_counters(comparing *work, const assay_joined *pair) {
  size_t base_count, new_count;
  const assay_counter *base = assay_record_counters(work->arena, pair->base, &base_count);
  const assay_counter *new = assay_record_counters(work->arena, pair->new, &new_count);
  for (size_t i = 0; i < base_count; i++) {
    // Both are in one order but where one has more.
    size_t j = i < new_count && strcmp(base[i].name, new[i].name) == 0 ? i : 0;
    while (j < new_count && strcmp(base[i].name, new[j].name) != 0)
      j++;
    if (j == new_count && !is_passed(pair->new))
      continue;
    assay_comparison_row *row = add(work, pair, ASSAY_METRIC_COUNTER, base[i].name);
    row->base_counter = &base[i];
    row->new_counter = j < new_count ? &new[j] : NULL;
    assay_exact_counter(work->arena, work->request->thresholds, row);
  }
}

// Those that only NEW counts. What did not pass before had none.
static void add_new_counters(comparing *work, const assay_joined *pair) {
  size_t base_count, new_count;
  const assay_counter *base = assay_record_counters(work->arena, pair->base, &base_count);
  const assay_counter *new = assay_record_counters(work->arena, pair->new, &new_count);
  for (size_t j = 0; j < new_count && is_passed(pair->base); j++) {
    size_t i = j < base_count && strcmp(new[j].name, base[j].name) == 0 ? j : 0;
    while (i < base_count && strcmp(new[j].name, base[i].name) != 0)
      i++;
    if (i < base_count)
      continue;
    assay_comparison_row *row = add(work, pair, ASSAY_METRIC_COUNTER, new[j].name);
    row->new_counter = &new[j];
    assay_exact_counter(work->arena, work->request->thresholds, row);
  }
}

static void add_common(comparing *work, const assay_joined *pair) {
  const assay_limits limits = assay_thresholds_of(work->request->thresholds, pair->base->key);
  work->comparison->cases++;
  assay_exact_verdict(work->arena, &limits, add(work, pair, ASSAY_METRIC_VERDICT, "verdict"));
  if (!isnan(pair->base->margin) || !isnan(pair->new->margin))
    assay_exact_margin(&limits, add(work, pair, ASSAY_METRIC_MARGIN, "margin"));
  add_timing(work, pair, ASSAY_METRIC_RUN, "run");
  add_timing(work, pair, ASSAY_METRIC_COMPILE, "compile");
  add_counters(work, pair);
  add_new_counters(work, pair);
}

static void find_lone_kinds(const assay_joined pairs[], size_t count, assay_lone_kind kinds[]) {
  assay_lone_kind counts[ASSAY_RECORD_KIND_COUNT] = {{0}};
  for (size_t i = 0; i < count; i++) {
    if (pairs[i].base != NULL)
      counts[pairs[i].base->kind].base++;
    if (pairs[i].new != NULL)
      counts[pairs[i].new->kind].new++;
  }
  for (size_t i = 0; i < ASSAY_RECORD_KIND_COUNT; i++)
    if (counts[i].base == 0 || counts[i].new == 0)
      kinds[i] = counts[i];
}

static size_t most_rows(const assay_joined pairs[], size_t count) {
  enum { VERDICT = 1, OTHERS = 9 }; // margin, two timings, three counters of each side
  size_t rows = 0;
  for (size_t i = 0; i < count; i++)
    rows += pairs[i].base == NULL || pairs[i].new == NULL
                ? (size_t)VERDICT
                : VERDICT + OTHERS + pairs[i].base->counter_count + pairs[i].new->counter_count;
  return rows;
}

// Only now is it known how many rows share the false-alarm rate.
static void judge_timings(comparing *work) {
  const assay_comparison_request *request = work->request;
  assay_comparison *comparison = work->comparison;
  assay_statistics *statistics = assay_statistics_create(work->arena);
  assay_alarm_limits alarm = assay_thresholds_alarm(request->thresholds);
  double rows = comparison->timings > 0 ? (double)comparison->timings : 1;
  double alpha = fmin(alarm.alarm_rate / rows, alarm.row_alarm_rate);
  comparison->false_alarm_rate = alpha * (double)comparison->timings;
  for (size_t i = 0; i < work->count; i++) {
    assay_comparison_row *row = &work->rows[i];
    if (row->kind != ASSAY_METRIC_RUN && row->kind != ASSAY_METRIC_COMPILE)
      continue;
    assay_limits limits = assay_thresholds_of(request->thresholds, row->base->key);
    assay_timing_judge(work->arena, statistics, request->paired, alpha,
                       row->kind == ASSAY_METRIC_RUN ? &limits.run : &limits.compile, row);
  }
  comparison->run_shift =
      assay_shift_find(work->arena, statistics, work->rows, work->count, ASSAY_METRIC_RUN);
  comparison->compile_shift =
      assay_shift_find(work->arena, statistics, work->rows, work->count, ASSAY_METRIC_COMPILE);
}

static void count_rows(assay_comparison *comparison) {
  for (size_t i = 0; i < comparison->count; i++) {
    const assay_comparison_row *row = &comparison->rows[i];
    comparison->changes[row->change]++;
    comparison->worse += row->worse;
    comparison->gates += row->gates;
  }
}

// "run 5, bench 3": how many there are of each kind.
static const char *kinds_of(assay_arena *arena, const assay_record records[], size_t count) {
  size_t counts[ASSAY_RECORD_KIND_COUNT] = {0};
  assay_text text = {.arena = arena};
  for (size_t i = 0; i < count; i++)
    counts[records[i].kind]++;
  for (int kind = 0; kind < ASSAY_RECORD_KIND_COUNT; kind++)
    if (counts[kind] > 0)
      assay_text_print(&text, "%s%s %zu", text.length > 0 ? ", " : "",
                       assay_record_kind_name((assay_record_kind)kind), counts[kind]);
  return assay_text_get(&text);
}

assay_code assay_comparison_make(assay_arena *arena, const assay_comparison_request *request,
                                 const assay_comparison **out_comparison, assay_error *err) {
  size_t count;
  assay_joined *pairs = assay_join(arena, request->base, request->base_count, request->new,
                                   request->new_count, &count);
  assay_comparison *comparison = assay_arena_take(arena, 1, sizeof *comparison);
  comparing work = {.arena = arena, .request = request, .comparison = comparison};
  work.rows = assay_arena_take(arena, most_rows(pairs, count), sizeof *work.rows);
  comparison->paired = request->paired;
  comparison->untimed = request->untimed;
  comparison->wrong = request->wrong;
  find_lone_kinds(pairs, count, comparison->lone_kinds);
  for (size_t i = 0; i < count; i++) {
    if (pairs[i].base == NULL || pairs[i].new == NULL)
      add_lone(&work, &pairs[i]);
    else
      add_common(&work, &pairs[i]);
  }
  if (comparison->cases == 0)
    return assay_fail(err, ASSAY_INVALID,
                      "no case is in both: none of BASE's records (%s) has the kind and key of one "
                      "of NEW's (%s)",
                      kinds_of(arena, request->base, request->base_count),
                      kinds_of(arena, request->new, request->new_count));
  judge_timings(&work);
  comparison->rows = work.rows;
  comparison->count = work.count;
  count_rows(comparison);
  *out_comparison = comparison;
  return ASSAY_OK;
}
