// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// text: what a run prints for people: failures first, then the summary table (at most 100 columns),
// then one line of totals.
#include "results/formats/common/columns.h"
#include "results/formats/format.h"
#include "results/record/printable.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN "\033[0m"

static const char *paint(bool color, const char *code) {
  return color ? code : "";
}

static void write_failures(FILE *stream, const assay_record records[], size_t count, bool color,
                           assay_arena *arena) {
  for (size_t i = 0; i < count; i++) {
    const assay_record *record = &records[i];
    if (!assay_verdict_is_bad(record->verdict))
      continue;
    fprintf(stream, "%s%s%s %s\n", paint(color, RED), assay_verdict_name(record->verdict),
            paint(color, PLAIN), assay_printable(arena, record->key));
    if (record->reason != NULL)
      fprintf(stream, "  %s\n", assay_printable(arena, record->reason));
    if (record->first_bad.n > 0)
      fprintf(stream, "  first bad pass: %d %s (%s)\n", record->first_bad.n,
              assay_printable(arena, record->first_bad.name),
              assay_printable(arena, record->first_bad.fault));
    const char *origin = assay_record_origin(arena, record);
    if (origin != NULL)
      fprintf(stream, "  nan origin: %s\n", assay_printable(arena, origin));
    if (record->repro != NULL)
      fprintf(stream, "  %s\n", assay_printable(arena, record->repro));
    fputc('\n', stream);
  }
}

// A count that deserves a look is painted unless it is 0. Padding comes first: escapes have no
// width.
static void write_count(FILE *stream, int width, int64_t value, bool color, const char *code) {
  bool painted = color && value != 0;
  fprintf(stream, "  %s%*" PRId64 "%s", paint(painted, code), width, value, paint(painted, PLAIN));
}

static void write_row(FILE *stream, const assay_summary_row *row, int op_width, int backend_width,
                      bool color) {
  assay_columns columns = assay_columns_count(row);
  fprintf(stream, "%-*s  %-*s  %8" PRId64, op_width, row->op, backend_width, row->backend,
          columns.verdicts);
  write_count(stream, 6, columns.passed, color, GREEN);
  write_count(stream, 6, columns.failed, color, RED);
  write_count(stream, 9, columns.known_gap, color, YELLOW);
  write_count(stream, 7, columns.skipped, color, YELLOW);
  fprintf(stream, "  %14s", assay_margin_print(row->largest_margin).text);
  fprintf(stream, "  %7s\n", assay_total_seconds_print(row->seconds).text);
}

static int wider(int width, const char *text) {
  int length = (int)strlen(text);
  return length > width ? length : width;
}

static void write_table(FILE *stream, const assay_summary *summary, bool color) {
  int op_width = (int)strlen("total"), backend_width = (int)strlen("backend");
  for (size_t i = 0; i < summary->count; i++) {
    op_width = wider(op_width, summary->rows[i].op);
    backend_width = wider(backend_width, summary->rows[i].backend);
  }
  fprintf(stream,
          "%-*s  %-*s  verdicts  passed  failed  known gap  skipped  largest margin  seconds\n",
          op_width, "op", backend_width, "backend");
  for (size_t i = 0; i < summary->count; i++)
    write_row(stream, &summary->rows[i], op_width, backend_width, color);
  write_row(stream, &summary->total, op_width, backend_width, color);
}

static assay_code write_text(FILE *stream, const assay_record records[], size_t count,
                             const assay_run_totals *totals, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  const assay_summary *summary = assay_summary_make(arena, records, count);
  for (size_t i = 0; i < summary->count; i++) {
    assay_summary_row *row = &summary->rows[i];
    row->op = assay_printable(arena, row->op);
    row->backend = assay_printable(arena, row->backend);
  }
  write_failures(stream, records, count, totals->color, arena);
  write_table(stream, summary, totals->color);
  fprintf(stream, "\n%zu verdicts", count);
  if (!isnan(totals->seconds))
    fprintf(stream, " in %.1f s", totals->seconds);
  fprintf(stream, ": %s", count > 0 ? assay_verdicts_print(arena, &summary->total) : "none");
  if (totals->peak_memory_bytes > 0)
    fprintf(stream, "; peak memory %.0f MB", (double)totals->peak_memory_bytes / 1e6);
  if (totals->records != NULL)
    fprintf(stream, "; records in %s", totals->records);
  fputc('\n', stream);
  assay_arena_destroy(arena);
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write the summary: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_text;
const assay_format assay_format_text = {
    .name = "text",
    .summary = "what a run prints: failures, the summary table, totals",
    .write = write_text,
};
