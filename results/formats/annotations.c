// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// annotations: workflow commands, one a line, which CI systems show beside the lines of files:
//     ::error file=suite/cases/matmul.cases,line=12,title=FAIL matmul m=1 ...::message
// An error for each bad verdict, each row of a comparison that fails its gate, and what failed
// besides; a warning for each WARN and row that is worse but does not; a notice for each known
// failure. The place is the case's in
// its case file; without one there is none. %, line ends, and in properties : and , are escaped as
// that syntax wants.
#include "results/formats/common/clean.h"
#include "results/formats/format.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static void write_escaped(FILE *stream, assay_arena *arena, const char *text, bool property) {
  for (const char *at = assay_clean(arena, text); *at != '\0'; at++) {
    if (*at == '%' || *at == '\n' || (property && (*at == ':' || *at == ',')))
      fprintf(stream, "%%%02X", (unsigned)(unsigned char)*at);
    else
      fputc(*at, stream);
  }
}

// "FILE:LINE" in its parts; false for what is no place, such as "--case".
static bool split(assay_arena *arena, const char *origin, const char **out_file,
                  const char **out_line) {
  const char *colon = origin != NULL ? strrchr(origin, ':') : NULL;
  if (colon == NULL || colon == origin || !isdigit((unsigned char)colon[1]) ||
      colon[1 + strspn(colon + 1, "0123456789")] != '\0')
    return false;
  *out_file = assay_arena_bytes(arena, origin, (size_t)(colon - origin));
  *out_line = colon + 1;
  return true;
}

static void start(FILE *stream, assay_arena *arena, const char *level, const char *origin) {
  const char *file, *line;
  fprintf(stream, "::%s ", level);
  if (!split(arena, origin, &file, &line))
    return;
  fputs("file=", stream);
  write_escaped(stream, arena, file, true);
  fprintf(stream, ",line=%s,", line);
}

static void write_message(FILE *stream, assay_arena *arena, const char *message,
                          const assay_record *record) {
  write_escaped(stream, arena, message, false);
  const assay_first_bad *bad = &record->first_bad;
  if (bad->n > 0)
    write_escaped(stream, arena,
                  assay_arena_format(arena, "\nfirst bad pass: %d %s (%s)", bad->n,
                                     bad->name != NULL ? bad->name : "?",
                                     bad->fault != NULL ? bad->fault : "?"),
                  false);
  if (record->repro != NULL)
    write_escaped(stream, arena, assay_arena_format(arena, "\n%s", record->repro), false);
  fputc('\n', stream);
}

static void write_record(FILE *stream, assay_arena *arena, const assay_record *record, bool known) {
  bool bad = assay_verdict_is_bad(record->verdict);
  if (!bad && !known && record->verdict != ASSAY_WARN)
    return;
  start(stream, arena, bad ? "error" : known ? "notice" : "warning", record->origin);
  fputs("title=", stream);
  write_escaped(stream, arena,
                assay_arena_format(arena, "%s %s", assay_verdict_name(record->verdict),
                                   assay_clip(arena, record->key, 200)),
                true);
  fputs("::", stream);
  write_message(stream, arena, record->reason, record);
}

// The place of a regression is that of its case, where a record of now has it.
static const char *origin_of(const assay_record records[], size_t count, const char *key) {
  for (size_t i = 0; i < count; i++)
    if (records[i].origin != NULL && strcmp(records[i].key, key) == 0)
      return records[i].origin;
  return NULL;
}

static void write_worse(FILE *stream, assay_arena *arena, const assay_record records[],
                        size_t count, const assay_baseline_row *row) {
  start(stream, arena, row->regression ? "error" : "warning", origin_of(records, count, row->key));
  fputs("title=", stream);
  write_escaped(stream, arena,
                assay_arena_format(arena, "%s %s", row->verdict, assay_clip(arena, row->key, 200)),
                true);
  fputs("::", stream);
  write_escaped(
      stream, arena,
      assay_arena_format(arena, "%s: %s, was %s%s%s", row->metric,
                         row->now != NULL ? row->now : "-", row->base != NULL ? row->base : "-",
                         row->reason != NULL ? ": " : "", row->reason != NULL ? row->reason : ""),
      false);
  fputc('\n', stream);
}

static assay_code write_annotations(FILE *stream, const assay_record records[], size_t count,
                                    const assay_run_totals *totals, assay_error *err) {
  for (size_t i = 0; i < totals->failure_count; i++) {
    assay_arena *arena = assay_arena_create();
    fputs("::error title=assay::", stream);
    write_escaped(stream, arena, totals->failures[i], false);
    fputc('\n', stream);
    assay_arena_destroy(arena);
  }
  for (size_t i = 0; i < count; i++) {
    assay_arena *arena = assay_arena_create();
    write_record(stream, arena, &records[i], totals->known != NULL && totals->known[i]);
    assay_arena_destroy(arena);
  }
  const assay_baseline *comparison = totals->comparison;
  for (size_t i = 0; comparison != NULL && i < comparison->count; i++) {
    if (!comparison->rows[i].regression && !comparison->rows[i].worse)
      continue;
    assay_arena *arena = assay_arena_create();
    write_worse(stream, arena, records, count, &comparison->rows[i]);
    assay_arena_destroy(arena);
  }
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write annotations: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_annotations;
const assay_format assay_format_annotations = {
    .name = "annotations",
    .summary = "workflow commands (::error file=...), which CI shows beside the case's line",
    .write = write_annotations,
};
