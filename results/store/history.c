// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/internal.h"
#include "compiler/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The median of the samples in a column, else the number in another one.
static double median_or(assay_arena *arena, sqlite3_stmt *row, int samples_at, int number_at) {
  size_t count, left = 0;
  const double *samples = assay_column_samples(arena, row, samples_at, &count);
  double *sorted = assay_arena_take(arena, count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    if (!isnan(samples[i]))
      sorted[left++] = samples[i];
  if (left == 0)
    return assay_column_number(row, number_at);
  assay_numbers_sort(sorted, left);
  return left % 2 == 1 ? sorted[left / 2] : (sorted[left / 2 - 1] + sorted[left / 2]) / 2;
}

static assay_history_point read_point(assay_arena *arena, sqlite3_stmt *row) {
  assay_history_point point = {.started = assay_column_text(arena, row, 0),
                               .revision = assay_column_text(arena, row, 1),
                               .tag = assay_column_text(arena, row, 2),
                               .margin = assay_column_number(row, 4),
                               .seconds_run = median_or(arena, row, 5, 6),
                               .seconds_compile = median_or(arena, row, 7, 8)};
  if (!assay_verdict_parse((const char *)sqlite3_column_text(row, 3), &point.verdict))
    point.verdict = ASSAY_ERROR;
  return point;
}

assay_code assay_store_history(assay_store *store, assay_arena *arena, assay_record_kind kind,
                               const char *key, size_t limit, assay_history_point **out_points,
                               size_t *out_count, assay_error *err) {
  static const char query[] =
      "SELECT r.started, e.revision,"
      " (SELECT t.name FROM tagged g JOIN tags t ON t.id = g.tag WHERE g.record = r.id"
      "  ORDER BY t.id DESC LIMIT 1),"
      " r.verdict, r.margin, r.samples_run, r.seconds_run, r.samples_compile, r.seconds_compile"
      " FROM records r JOIN environments e ON e.id = r.environment"
      " WHERE r.kind = ?1 AND r.key = ?2 ORDER BY r.started DESC, r.id DESC LIMIT ?3";
  sqlite3_stmt *statement = NULL;
  assay_history_point *points = NULL;
  size_t count = 0, room = 0;
  TRY(assay_store_prepare(store, query, &statement, err));
  sqlite3_bind_text(statement, 1, assay_record_kind_name(kind), -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, key, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 3, limit < INT64_MAX ? (int64_t)limit : INT64_MAX);
  int got;
  while ((got = sqlite3_step(statement)) == SQLITE_ROW) {
    if (count == room) {
      room = room == 0 ? 16 : 2 * room;
      assay_history_point *more = assay_arena_take(arena, room, sizeof *more);
      if (count > 0)
        memcpy(more, points, count * sizeof *more);
      points = more;
    }
    points[count++] = read_point(arena, statement);
  }
  assay_code code = got == SQLITE_DONE ? ASSAY_OK : assay_store_fail(store, "read", err);
  sqlite3_finalize(statement);
  for (size_t i = 0; i < count / 2; i++) {
    assay_history_point newer = points[i];
    points[i] = points[count - 1 - i];
    points[count - 1 - i] = newer;
  }
  *out_points = points;
  *out_count = count;
  return code;
}
