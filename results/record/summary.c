// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_groups(const assay_record *left, const assay_record *right) {
  int by_op = strcmp(left->op, right->op);
  return by_op != 0 ? by_op : strcmp(left->backend, right->backend);
}

// By op and backend, and of one group in the order given.
static int compare_records(const void *a, const void *b) {
  const assay_record *left = *(const assay_record *const *)a;
  const assay_record *right = *(const assay_record *const *)b;
  int order = compare_groups(left, right);
  return order != 0 ? order : left < right ? -1 : left > right;
}

static void add(assay_summary_row *row, const assay_record *record) {
  row->verdicts[record->verdict]++;
  // A benchmark's are those of one run and one compilation among many.
  row->timed = row->timed || record->kind == ASSAY_RECORD_BENCH;
  double seconds = assay_record_seconds(record);
  if (row->timed)
    row->seconds = NAN;
  else if (!isnan(seconds))
    row->seconds = seconds + (isnan(row->seconds) ? 0 : row->seconds);
  if (!isnan(record->margin) &&
      (isnan(row->largest_margin) || record->margin > row->largest_margin)) {
    row->largest_margin = record->margin;
    row->largest_case = record->key;
  }
}

const assay_record **assay_summary_sort(assay_arena *arena, const assay_record records[],
                                        size_t count) {
  const assay_record **sorted = assay_arena_take(arena, count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    sorted[i] = &records[i];
  if (count > 0)
    qsort(sorted, count, sizeof *sorted, compare_records);
  return sorted;
}

const assay_summary *assay_summary_make(assay_arena *arena, const assay_record records[],
                                        size_t count) {
  assay_summary *summary = assay_arena_take(arena, 1, sizeof *summary);
  const assay_record **sorted = assay_summary_sort(arena, records, count);
  summary->total =
      (assay_summary_row){.op = "total", .backend = "", .largest_margin = NAN, .seconds = NAN};
  summary->rows = assay_arena_take(arena, count, sizeof *summary->rows);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || compare_groups(sorted[i - 1], sorted[i]) != 0)
      summary->rows[summary->count++] = (assay_summary_row){.op = sorted[i]->op,
                                                            .backend = sorted[i]->backend,
                                                            .largest_margin = NAN,
                                                            .seconds = NAN};
    add(&summary->rows[summary->count - 1], sorted[i]);
  }
  for (size_t i = 0; i < count; i++)
    add(&summary->total, &records[i]);
  return summary;
}
