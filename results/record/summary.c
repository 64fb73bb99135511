// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_rows(const void *a, const void *b) {
  const assay_summary_row *left = a, *right = b;
  int by_op = strcmp(left->op, right->op);
  return by_op != 0 ? by_op : strcmp(left->backend, right->backend);
}

// Rows are few (ops x backends), so a linear search is enough.
static assay_summary_row *find_row(assay_summary *summary, const assay_record *record) {
  for (size_t i = 0; i < summary->count; i++) {
    assay_summary_row *row = &summary->rows[i];
    if (strcmp(row->op, record->op) == 0 && strcmp(row->backend, record->backend) == 0)
      return row;
  }
  assay_summary_row *row = &summary->rows[summary->count++];
  *row = (assay_summary_row){.op = record->op, .backend = record->backend, .largest_margin = NAN};
  return row;
}

static void add(assay_summary_row *row, const assay_record *record) {
  row->verdicts[record->verdict]++;
  row->seconds += record->seconds_compile + record->seconds_run;
  if (!isnan(record->margin) &&
      (isnan(row->largest_margin) || record->margin > row->largest_margin)) {
    row->largest_margin = record->margin;
    row->largest_case = record->key;
  }
}

// How many rows there can be at most: changes of op or backend along the records.
static size_t count_changes(const assay_record records[], size_t count) {
  size_t changes = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || strcmp(records[i].op, records[i - 1].op) != 0 ||
        strcmp(records[i].backend, records[i - 1].backend) != 0)
      changes++;
  return changes;
}

const assay_summary *assay_summary_make(assay_arena *arena, const assay_record records[],
                                        size_t count) {
  assay_summary *summary = assay_arena_take(arena, 1, sizeof *summary);
  summary->total = (assay_summary_row){.op = "total", .backend = "", .largest_margin = NAN};
  summary->rows = assay_arena_take(arena, count_changes(records, count), sizeof *summary->rows);
  for (size_t i = 0; i < count; i++) {
    add(find_row(summary, &records[i]), &records[i]);
    add(&summary->total, &records[i]);
  }
  if (summary->count > 0)
    qsort(summary->rows, summary->count, sizeof *summary->rows, compare_rows);
  return summary;
}
