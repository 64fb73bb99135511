// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// md: a Markdown page for pull requests: totals, the summary table, the failures.
#include "results/formats/common/columns.h"
#include "results/formats/format.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void write_row(FILE *stream, const assay_summary_row *row) {
  assay_columns columns = assay_columns_count(row);
  fprintf(stream,
          "| %s | %s | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64
          " | %s | %.2f |\n",
          row->op, row->backend, columns.verdicts, columns.passed, columns.failed,
          columns.known_gap, columns.skipped, assay_margin_print(row->largest_margin).text,
          row->seconds);
}

static void write_table(FILE *stream, const assay_summary *summary) {
  fputs("| op | backend | verdicts | passed | failed | known gap | skipped | largest margin "
        "| seconds |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
        stream);
  for (size_t i = 0; i < summary->count; i++)
    write_row(stream, &summary->rows[i]);
  write_row(stream, &summary->total);
}

// A block indented by four more than its list item, so that no character of the text is markup.
static void write_block(FILE *stream, const char *text) {
  fputs("\n      ", stream);
  for (const char *byte = text; *byte != '\0'; byte++) {
    fputc(*byte, stream);
    if (*byte == '\n')
      fputs("      ", stream);
  }
  fputs("\n", stream);
}

static void write_failures(FILE *stream, const assay_record records[], size_t count,
                           assay_arena *arena) {
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    if (!assay_verdict_is_bad(records[i].verdict))
      continue;
    if (!any)
      fputs("\n## Failures\n", stream);
    any = true;
    fprintf(stream, "\n- **%s** `%s`\n", assay_verdict_name(records[i].verdict), records[i].key);
    if (records[i].reason != NULL)
      write_block(stream, records[i].reason);
    if (records[i].first_bad.n > 0)
      fprintf(stream, "\n  First bad pass: %d `%s` (%s).\n", records[i].first_bad.n,
              records[i].first_bad.name, records[i].first_bad.fault);
    const char *origin = assay_record_origin(arena, &records[i]);
    if (origin != NULL)
      fprintf(stream, "\n  NaN origin: `%s`.\n", origin);
    if (records[i].repro != NULL)
      write_block(stream, records[i].repro);
  }
}

static assay_code write_md(FILE *stream, const assay_record records[], size_t count,
                           const assay_run_totals *totals, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  const assay_summary *summary = assay_summary_make(arena, records, count);
  fprintf(stream, "# Assay\n\n%zu verdicts in %.1f s: %s.\n\n", count, totals->seconds,
          count > 0 ? assay_verdicts_print(arena, &summary->total) : "none");
  write_table(stream, summary);
  write_failures(stream, records, count, arena);
  assay_arena_destroy(arena);
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write Markdown: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_md;
const assay_format assay_format_md = {
    .name = "md",
    .summary = "Markdown: totals, the summary table, the failures",
    .write = write_md,
};
