// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/internal.h"

#include <string.h>

// The median of the samples in a column, else the number in another one.
static assay_code median_or(assay_store *store, assay_arena *arena, sqlite3_stmt *row,
                            const char *key, const char *field, int samples_at, int number_at,
                            double *out_seconds, assay_error *err) {
  size_t count;
  const double *samples;
  TRY(assay_column_samples(store, arena, row, samples_at, key, field, &samples, &count, err));
  *out_seconds = assay_samples_median(arena, samples, count, assay_column_number(row, number_at));
  return ASSAY_OK;
}

static assay_code read_point(assay_store *store, assay_arena *arena, sqlite3_stmt *row,
                             const char *key, assay_history_point *out_point, assay_error *err) {
  assay_history_point point = {.started = assay_column_text(arena, row, 0),
                               .revision = assay_column_text(arena, row, 1),
                               .tag = assay_column_text(arena, row, 2),
                               .margin = assay_column_number(row, 4),
                               .on_device = sqlite3_column_type(row, 9) != SQLITE_NULL};
  const char *verdict = (const char *)sqlite3_column_text(row, 3);
  TRY(median_or(store, arena, row, key, "samples_run", 5, 6, &point.seconds_run, err));
  TRY(median_or(store, arena, row, key, "samples_compile", 7, 8, &point.seconds_compile, err));
  if (verdict == NULL || !assay_verdict_parse(verdict, &point.verdict))
    return assay_store_fail_field(store, arena, key, "verdict", "unknown verdict", err);
  *out_point = point;
  return ASSAY_OK;
}

assay_code assay_store_history(assay_store *store, assay_arena *arena, assay_record_kind kind,
                               const char *key, size_t limit, assay_history_point **out_points,
                               size_t *out_count, assay_error *err) {
  static const char columns[] =
      "SELECT r.started, e.revision,"
      " (SELECT t.name FROM tagged g JOIN tags t ON t.id = g.tag WHERE g.record = r.id"
      "  ORDER BY t.id DESC LIMIT 1),"
      " r.verdict, r.margin, r.samples_run, r.seconds_run, r.samples_compile, r.seconds_compile,"
      " %s FROM records r JOIN environments e ON e.id = r.environment"
      " WHERE r.kind = ?1 AND r.key = ?2 ORDER BY r.started DESC, r.id DESC LIMIT ?3";
  sqlite3_stmt *statement = NULL;
  assay_history_point *points = NULL;
  size_t count = 0, room = 0;
  const char *query = assay_arena_format(arena, columns, assay_store_clock(store));
  TRY(assay_store_prepare(store, query, &statement, err));
  sqlite3_bind_text(statement, 1, assay_record_kind_name(kind), -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, key, -1, SQLITE_STATIC);
  sqlite3_bind_int64(statement, 3, limit < INT64_MAX ? (int64_t)limit : INT64_MAX);
  int got = SQLITE_DONE;
  assay_code code = ASSAY_OK;
  while (code == ASSAY_OK && (got = sqlite3_step(statement)) == SQLITE_ROW) {
    if (count == room) {
      room = room == 0 ? 16 : 2 * room;
      assay_history_point *more = assay_arena_take(arena, room, sizeof *more);
      if (count > 0)
        memcpy(more, points, count * sizeof *more);
      points = more;
    }
    code = read_point(store, arena, statement, key, &points[count++], err);
  }
  if (code == ASSAY_OK && got != SQLITE_DONE)
    code = assay_store_fail(store, "read", err);
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
