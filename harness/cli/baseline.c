// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/baseline.h"

#include "harness/cli/comparison.h"
#include "results/compare/table.h"

#include <math.h>

// A counter that fails no gate only informs: it says more where a part compiled what another
// shares.
static bool is_worse(const assay_thresholds *thresholds, const assay_comparison_row *row) {
  if (!row->worse || row->gates || row->kind != ASSAY_METRIC_COUNTER || row->base == NULL)
    return row->worse;
  return assay_thresholds_counter(thresholds, row->base->key, row->metric).gate != ASSAY_COUNTER_NO;
}

static assay_baseline_row row_of(assay_arena *arena, const assay_thresholds *thresholds,
                                 const assay_comparison_row *row) {
  const char *base, *now;
  assay_comparison_values(arena, row, &base, &now);
  return (assay_baseline_row){.key = (row->new != NULL ? row->new : row->base)->key,
                              .metric = row->metric,
                              .base = row->base != NULL ? base : NULL,
                              .now = row->new != NULL ? now : NULL,
                              .ratio = row->ratio,
                              .low = row->low,
                              .high = row->high,
                              .verdict = assay_change_name(row->change),
                              .reason = row->reason,
                              .same = row->change == ASSAY_SAME,
                              .regression = row->gates,
                              .worse = is_worse(thresholds, row)};
}

// All records of a kind that one side has none of: one row.
static assay_baseline_row row_of_kind(assay_arena *arena, const assay_comparison *comparison,
                                      assay_record_kind kind) {
  bool vanished = comparison->lone_kinds[kind].base > 0; // not worse where nobody minds
  size_t rows = 0;                                       // each of which the gate counts
  for (size_t i = 0; i < comparison->count; i++) {
    const assay_comparison_row *row = &comparison->rows[i];
    const assay_record *there = row->new != NULL ? row->new : row->base;
    rows += row->whole_kind && there->kind == kind &&
            (row->gates || !comparison->lone_kinds[kind].gates);
  }
  return (assay_baseline_row){.key = assay_comparison_lone_kind(arena, comparison, kind),
                              .metric = "verdict",
                              .ratio = NAN,
                              .low = NAN,
                              .high = NAN,
                              .verdict = assay_change_name(vanished ? ASSAY_VANISHED : ASSAY_NEW),
                              .regression = comparison->lone_kinds[kind].gates,
                              .worse = comparison->lone_kinds[kind].gates,
                              .others = rows - 1};
}

static size_t fill_rows(assay_arena *arena, const assay_thresholds *thresholds,
                        const assay_comparison *comparison, assay_baseline_row rows[]) {
  size_t count = 0;
  for (int kind = 0; kind < ASSAY_RECORD_KIND_COUNT; kind++)
    if (comparison->lone_kinds[kind].base + comparison->lone_kinds[kind].new > 0)
      rows[count++] = row_of_kind(arena, comparison, (assay_record_kind)kind);
  for (size_t i = 0; i < comparison->count; i++)
    if (!comparison->rows[i].whole_kind)
      rows[count++] = row_of(arena, thresholds, &comparison->rows[i]);
  return count;
}

assay_code assay_baseline_compare(const assay_session *session, const assay_record records[],
                                  size_t count, const assay_baseline **out_baseline,
                                  bool *out_gated, assay_error *err) {
  assay_arena *arena = session->arena;
  const char *word = session->options->baseline;
  assay_comparison_request request = {.new = records, .new_count = count};
  const assay_comparison *comparison;
  assay_record *base;
  TRY(assay_comparison_thresholds(session, &request.thresholds, err));
  TRY(assay_comparison_read(arena, session, word, false, &base, &request.base_count, err));
  request.base = base;
  TRY(assay_comparison_make(arena, &request, &comparison, err));
  assay_comparison_note(arena, &request);
  assay_baseline *baseline = assay_arena_take(arena, 1, sizeof *baseline);
  assay_baseline_row *rows = assay_arena_take(arena, comparison->count, sizeof *rows);
  size_t row_count = fill_rows(arena, request.thresholds, comparison, rows);
  *baseline = (assay_baseline){.base = word,
                               .note = assay_comparison_summary(arena, comparison),
                               .count = row_count,
                               .rows = rows};
  *out_baseline = baseline;
  *out_gated = comparison->gates > 0;
  return ASSAY_OK;
}
