// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// csv: RFC 4180: a header and a row per record, lines ended by CR LF, in UTF-8. Columns are only
// ever added, at the end. What is not known is empty. Text that a spreadsheet would take for a
// formula (it starts with = + - @ or a tab) or that starts with ' has one ' more in front of it;
// whoever reads the data takes that one off again. Numbers stand as they are, "inf" for infinity.
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/format.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const columns[] = {"kind",
                                      "key",
                                      "case",
                                      "op",
                                      "backend",
                                      "data",
                                      "verdict",
                                      "margin",
                                      "reference",
                                      "seconds_compile",
                                      "seconds_run",
                                      "run_median",
                                      "run_low",
                                      "run_high",
                                      "run_samples",
                                      "compile_median",
                                      "flop",
                                      "bytes",
                                      "gflops",
                                      "gbs",
                                      "threads",
                                      "blas_calls",
                                      "compiles",
                                      "launches",
                                      "first_bad_n",
                                      "first_bad_pass",
                                      "first_bad_class",
                                      "reason",
                                      "repro",
                                      "origin",
                                      "started",
                                      "cpu",
                                      "llvm",
                                      "blas",
                                      "blas_core",
                                      "revision",
                                      "assay",
                                      "cuda",
                                      "ptxas",
                                      "clock"};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

// The row being written.
typedef struct row {
  FILE *stream;
  assay_arena *arena;
  int cells;
} row;

static void start_cell(row *to) {
  if (to->cells++ > 0)
    fputc(',', to->stream);
}

static void add_text(row *to, const char *text) {
  start_cell(to);
  const char *clean = assay_clean(to->arena, text);
  bool escaped = clean[0] != '\0' && strchr("=+-@\t'", clean[0]) != NULL;
  bool quoted = strpbrk(clean, ",\"\n\r") != NULL || clean[0] == ' ';
  if (quoted)
    fputc('"', to->stream);
  if (escaped)
    fputc('\'', to->stream);
  for (const char *at = clean; *at != '\0'; at++) {
    if (*at == '"')
      fputc('"', to->stream);
    fputc(*at, to->stream);
  }
  if (quoted)
    fputc('"', to->stream);
}

static void add_number(row *to, double value) {
  start_cell(to);
  if (isinf(value))
    fputs(value > 0 ? "inf" : "-inf", to->stream);
  else if (!isnan(value))
    fprintf(to->stream, "%.17g", value);
}

// Only where it is known.
static void add_positive(row *to, double value) {
  add_number(to, value > 0 ? value : NAN);
}

static void add_whole(row *to, int64_t value) {
  start_cell(to);
  fprintf(to->stream, "%" PRId64, value);
}

// One of those that a record may lack.
static void add_counter(row *to, const assay_record *record, unsigned bit, int64_t value) {
  if ((record->uncounted & bit) != 0)
    start_cell(to);
  else
    add_whole(to, value);
}

static void end_row(row *to) {
  fputs("\r\n", to->stream);
  to->cells = 0;
}

static void add_timings(row *to, const assay_record *record) {
  assay_measure run = assay_measure_make(to->arena, record->run_samples, record->run_sample_count);
  assay_measure compile =
      assay_measure_make(to->arena, record->compile_samples, record->compile_sample_count);
  add_number(to, record->seconds_compile);
  add_number(to, record->seconds_run);
  add_number(to, run.median);
  add_number(to, run.low);
  add_number(to, run.high);
  add_whole(to, (int64_t)run.count);
  add_number(to, compile.median);
  add_positive(to, record->flop);
  add_positive(to, record->bytes);
  add_number(to, assay_record_gflops(record, run.median));
  add_number(to, assay_record_gbs(record, run.median));
  add_positive(to, record->threads);
}

static void add_environment(row *to, const assay_environment *given) {
  static const assay_environment unknown = {0};
  const assay_environment *env = given != NULL ? given : &unknown;
  add_text(to, env->cpu);
  add_text(to, env->llvm);
  add_text(to, env->blas);
  add_text(to, env->blas_core);
  add_text(to, env->revision);
  add_text(to, env->assay);
  add_text(to, env->cuda);
  add_text(to, env->ptxas);
}

static void write_record(row *to, const assay_record *record) {
  add_text(to, assay_record_kind_name(record->kind));
  add_text(to, record->key);
  add_text(to, record->line);
  add_text(to, record->op);
  add_text(to, record->backend);
  add_text(to, record->data);
  add_text(to, assay_verdict_name(record->verdict));
  add_number(to, record->margin);
  add_text(to, record->reference);
  add_timings(to, record);
  add_counter(to, record, ASSAY_UNCOUNTED_BLAS_CALLS, record->blas_calls);
  add_counter(to, record, ASSAY_UNCOUNTED_COMPILES, record->compiles);
  add_counter(to, record, ASSAY_UNCOUNTED_LAUNCHES, record->launches);
  add_positive(to, record->first_bad.n);
  add_text(to, record->first_bad.name);
  add_text(to, record->first_bad.fault);
  add_text(to, record->reason);
  add_text(to, record->repro);
  add_text(to, record->origin);
  add_text(to, record->started);
  add_environment(to, record->environment);
  add_text(to, record->clock);
  end_row(to);
}

static assay_code write_csv(FILE *stream, const assay_record records[], size_t count,
                            const assay_run_totals *totals, assay_error *err) {
  (void)totals; // rows are of records only
  row head = {.stream = stream, .arena = assay_arena_create()};
  for (int i = 0; i < COLUMN_COUNT; i++)
    add_text(&head, columns[i]);
  end_row(&head);
  assay_arena_destroy(head.arena);
  for (size_t i = 0; i < count; i++) {
    row one = {.stream = stream, .arena = assay_arena_create()};
    write_record(&one, &records[i]);
    assay_arena_destroy(one.arena);
  }
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write CSV: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_csv;
const assay_format assay_format_csv = {
    .name = "csv",
    .summary = "a table with a row per record, for spreadsheets and data frames",
    .write = write_csv,
};
