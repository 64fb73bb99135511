// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// md: a Markdown page for pull requests and the summaries of CI jobs: the verdict in a sentence,
// the summary table, the failures, timings, and what a comparison found. No text of a record is
// taken for markup. CI systems cut summaries near 1 MB, so long lists end with a count.
#include "results/formats/common/clean.h"
#include "results/formats/common/columns.h"
#include "results/formats/common/measure.h"
#include "results/formats/common/sentence.h"
#include "results/formats/format.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_FAILURES = 100, MOST_TIMINGS = 100, MOST_ROWS = 100, TEXT_BYTES = 2000 };

// Text as code of one line: between more backticks than it has in a row, and in a table with its
// bars escaped.
static void write_code(FILE *stream, assay_arena *arena, const char *text, bool in_table) {
  const char *line = assay_clip(arena, text, 400);
  size_t longest = 0;
  for (const char *at = line; *at != '\0'; at += *at != '\0') {
    size_t run = strspn(at, "`");
    longest = run > longest ? run : longest;
    at += run;
  }
  if (line[0] == '\0')
    return;
  char *fence = assay_arena_take(arena, longest + 2, 1);
  memset(fence, '`', longest + 1);
  const char *pad = longest > 0 ? " " : "";
  fprintf(stream, "%s%s", fence, pad);
  for (const char *at = line; *at != '\0'; at++)
    fprintf(stream, in_table && *at == '|' ? "\\%c" : "%c", *at);
  fprintf(stream, "%s%s", pad, fence);
}

// Text in which no character is markup.
static void write_plain(FILE *stream, const char *text) {
  for (const char *at = text; *at != '\0'; at++)
    fprintf(stream, strchr("\\`*_<>#|&[]", *at) != NULL ? "\\%c" : "%c", *at);
}

static void write_row(FILE *stream, assay_arena *arena, const assay_summary_row *row) {
  assay_columns columns = assay_columns_count(row);
  fputs("| ", stream);
  write_code(stream, arena, row->op, true);
  fputs(" | ", stream);
  write_code(stream, arena, row->backend, true);
  fprintf(stream,
          " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %s | %s |\n",
          columns.verdicts, columns.passed, columns.failed, columns.known_gap, columns.skipped,
          assay_margin_print(row->largest_margin).text,
          assay_total_seconds_print(row->seconds).text);
}

static void write_table(FILE *stream, assay_arena *arena, const assay_summary *summary) {
  fputs("| op | backend | verdicts | passed | failed | known gap | skipped | largest margin "
        "| seconds |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
        stream);
  for (size_t i = 0; i < summary->count; i++)
    write_row(stream, arena, &summary->rows[i]);
  write_row(stream, arena, &summary->total);
}

// A block indented by four more than its list item, so that no character of the text is markup.
static void write_block(FILE *stream, assay_arena *arena, const char *text) {
  fputs("\n      ", stream);
  size_t length = 0;
  for (const char *byte = assay_clean(arena, text); *byte != '\0'; byte++) {
    if (length++ >= TEXT_BYTES && ((unsigned char)*byte & 0xC0) != 0x80) {
      fprintf(stream, "\n      ... %zu more bytes", strlen(byte));
      break;
    }
    fputc(*byte, stream);
    if (*byte == '\n')
      fputs("      ", stream);
  }
  fputs("\n", stream);
}

static void write_left(FILE *stream, size_t left, const char *what) {
  if (left > 0)
    fprintf(stream, "\n... and %zu more %s\n", left, what);
}

static void write_failure(FILE *stream, assay_arena *arena, const assay_record *record) {
  const assay_first_bad *bad = &record->first_bad;
  fprintf(stream, "\n- **%s** ", assay_verdict_name(record->verdict));
  write_code(stream, arena, record->key, false);
  fputc('\n', stream);
  if (record->reason != NULL)
    write_block(stream, arena, record->reason);
  if (bad->n > 0) {
    fprintf(stream, "\n  First bad pass: %d ", bad->n);
    write_code(stream, arena, bad->name, false);
    fputs(" (", stream);
    write_code(stream, arena, bad->fault, false);
    fputs(").\n", stream);
  }
  const char *origin = assay_record_origin(arena, record);
  if (origin != NULL) {
    fputs("\n  NaN origin: ", stream);
    write_code(stream, arena, origin, false);
    fputs(".\n", stream);
  }
  if (record->repro != NULL)
    write_block(stream, arena, record->repro);
}

static void write_failures(FILE *stream, const assay_record records[], size_t count,
                           assay_arena *arena) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) {
    if (!assay_verdict_is_bad(records[i].verdict))
      continue;
    if (found++ == 0)
      fputs("\n## Failures\n", stream);
    if (found <= MOST_FAILURES)
      write_failure(stream, arena, &records[i]);
  }
  write_left(stream, found > MOST_FAILURES ? found - MOST_FAILURES : 0, "failures");
}

// What the baseline has as well.
static void write_known(FILE *stream, const assay_record records[], size_t count,
                        const bool known[], assay_arena *arena) {
  size_t found = 0;
  for (size_t i = 0; known != NULL && i < count; i++) {
    if (!known[i])
      continue;
    if (found++ == 0)
      fputs("\n## Known failures\n\n", stream);
    if (found > MOST_FAILURES)
      continue;
    fputs("- \u26a0\ufe0f ", stream);
    write_code(stream, arena, records[i].key, false);
    fputs(": ", stream);
    write_code(stream, arena, records[i].reason, false);
    fputc('\n', stream);
  }
  write_left(stream, found > MOST_FAILURES ? found - MOST_FAILURES : 0, "known failures");
}

static void write_timing(FILE *stream, assay_arena *arena, const assay_record *record) {
  assay_measure run = assay_measure_make(arena, record->run_samples, record->run_sample_count);
  fputs("| ", stream);
  write_code(stream, arena, record->line, true);
  fputs(" | ", stream);
  write_code(stream, arena, record->backend, true);
  fprintf(stream, " | %s | %s - %s | %s |\n", assay_print_run(record, run.median).text,
          assay_print_seconds(run.low).text, assay_print_seconds(run.high).text,
          assay_print_number(assay_record_gflops(record, run.median)).text);
}

static void write_timings(FILE *stream, const assay_record records[], size_t count,
                          assay_arena *arena) {
  size_t found = 0;
  bool on_device = false;
  for (size_t i = 0; i < count; i++) {
    if (records[i].kind != ASSAY_RECORD_BENCH || records[i].run_sample_count == 0)
      continue;
    on_device = on_device || records[i].clock != NULL;
    if (found++ == 0)
      fputs("\n## Timings\n\n| case | backend | median | quartiles | GFLOP/s |\n"
            "|---|---|--:|--:|--:|\n",
            stream);
    if (found <= MOST_TIMINGS)
      write_timing(stream, arena, &records[i]);
  }
  write_left(stream, found > MOST_TIMINGS ? found - MOST_TIMINGS : 0, "timings");
  if (on_device)
    fputs("\n(device): by the device's own clock, the program alone; the others are wall clock.\n",
          stream);
}

static void write_difference(FILE *stream, assay_arena *arena, const assay_baseline_row *row) {
  const char *strong = row->regression ? "**" : "";
  const char *sign = row->regression ? "\u274c " : row->worse ? "\u26a0\ufe0f " : "";
  fprintf(stream, "| %s%s%s%s | ", sign, strong, row->verdict, strong);
  const char *const cells[] = {row->key, row->metric, row->base, row->now};
  for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
    if (cells[i] != NULL)
      write_code(stream, arena, cells[i], true);
    fputs(" | ", stream);
  }
  if (!isnan(row->ratio))
    fputs(assay_ratio_print(row->ratio).text, stream);
  if (!isnan(row->ratio) && !isnan(row->low) && !isnan(row->high))
    fprintf(stream, " [%s, %s]", assay_ratio_print(row->low).text,
            assay_ratio_print(row->high).text);
  fputs(" | ", stream);
  if (row->reason != NULL)
    write_code(stream, arena, row->reason, true);
  fputs(" |\n", stream);
}

enum { REGRESSION, WORSE, OTHER, RANKS };

static int rank_of(const assay_baseline_row *row) {
  return row->regression ? REGRESSION : row->worse ? WORSE : OTHER;
}

// What is not worse is folded: new cases alone may be hundreds.
static void begin_differences(FILE *stream, bool folded) {
  if (folded)
    fputs("\n<details><summary>Differences that are no regressions</summary>\n\n", stream);
  fputs("| verdict | case | what | baseline | now | now / baseline | why |\n"
        "|---|---|---|--:|--:|--:|---|\n",
        stream);
}

static void write_comparison(FILE *stream, assay_arena *arena, const assay_baseline *comparison) {
  if (comparison == NULL)
    return;
  size_t shown = 0, left = 0, same = 0;
  fputs("\n## Against the baseline ", stream);
  write_code(stream, arena, comparison->base, false);
  fputs("\n\n", stream);
  bool begun = false;
  for (int rank = 0; rank < RANKS; rank++) {
    begun = begun && rank != OTHER;
    for (size_t i = 0; i < comparison->count; i++) {
      const assay_baseline_row *row = &comparison->rows[i];
      if (row->same || rank_of(row) != rank)
        continue;
      if (!begun)
        begin_differences(stream, rank == OTHER);
      begun = true;
      if (shown < MOST_ROWS)
        write_difference(stream, arena, row);
      left += shown >= MOST_ROWS;
      shown++;
    }
    if (begun && rank == OTHER)
      fputs("\n</details>\n", stream);
  }
  for (size_t i = 0; i < comparison->count; i++)
    same += comparison->rows[i].same;
  write_left(stream, left, "rows that differ");
  fprintf(stream, "\n%zu of %zu rows are the same.\n", same, comparison->count);
}

static assay_code write_md(FILE *stream, const assay_record records[], size_t count,
                           const assay_run_totals *totals, assay_error *err) {
  static const char *const signs[] = {"\u2705", "\u26a0\ufe0f", "\u274c"};
  assay_arena *arena = assay_arena_create();
  const assay_summary *summary = assay_summary_make(arena, records, count);
  assay_tone tone;
  const char *sentence = assay_sentence_make(arena, summary, totals, &tone);
  fprintf(stream, "# Assay\n\n%s ", signs[tone]);
  write_plain(stream, sentence);
  if (!isnan(totals->seconds))
    fprintf(stream, " %.1f s.", totals->seconds);
  fputs("\n\n", stream);
  write_table(stream, arena, summary);
  write_failures(stream, records, count, arena);
  write_known(stream, records, count, totals->known, arena);
  write_comparison(stream, arena, totals->comparison);
  write_timings(stream, records, count, arena);
  assay_arena_destroy(arena);
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write Markdown: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_md;
const assay_format assay_format_md = {
    .name = "md",
    .summary = "Markdown for CI summaries: verdict, table, failures, timings",
    .write = write_md,
};
