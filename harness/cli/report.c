// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/report.h"

#include <errno.h>
#include <string.h>

static assay_code fail_unknown(assay_arena *arena, const char *name, assay_error *err) {
  size_t count = 0;
  while (assay_formats_get()[count] != NULL)
    count++;
  const char **names = assay_arena_take(arena, count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = assay_formats_get()[i]->name;
  return assay_fail(err, ASSAY_INVALID, "--format: unknown format '%s'%s", name,
                    assay_hint(arena, name, names, count));
}

assay_code assay_reports_plan(const assay_session *session, assay_reports *out_reports,
                              assay_error *err) {
  const assay_names *given = &session->options->formats;
  *out_reports = (assay_reports){
      .items = assay_arena_take(session->arena, given->count, sizeof *out_reports->items)};
  for (size_t i = 0; i < given->count; i++) {
    const char *equals = strchr(given->items[i], '=');
    if (equals == NULL || equals[1] == '\0')
      return assay_fail(err, ASSAY_INVALID, "--format: '%s' is not NAME=FILE, as in junit=out.xml",
                        given->items[i]);
    const char *name =
        assay_arena_bytes(session->arena, given->items[i], (size_t)(equals - given->items[i]));
    assay_report *report = &out_reports->items[out_reports->count++];
    *report = (assay_report){.format = assay_format_find(name), .path = equals + 1};
    if (report->format == NULL)
      return fail_unknown(session->arena, name, err);
    if (strcmp(report->path, "-") != 0)
      continue;
    if (out_reports->own_stdout)
      return assay_fail(err, ASSAY_INVALID, "--format: two reports on standard output");
    out_reports->own_stdout = true;
  }
  return ASSAY_OK;
}

static assay_code fail_write(const assay_report *report, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, report->path, 0, 0, "cannot write: %s", strerror(errno));
}

assay_code assay_reports_open(assay_reports *reports, assay_error *err) {
  for (size_t i = 0; i < reports->count; i++) {
    assay_report *report = &reports->items[i];
    report->stream = strcmp(report->path, "-") == 0 ? stdout : fopen(report->path, "w");
    if (report->stream == NULL) {
      assay_code code = fail_write(report, err);
      assay_reports_close(reports);
      return code;
    }
  }
  return ASSAY_OK;
}

assay_code assay_reports_write(const assay_reports *reports, const assay_record records[],
                               size_t count, const assay_run_totals *totals, assay_error *err) {
  for (size_t i = 0; i < reports->count; i++) {
    const assay_report *report = &reports->items[i];
    TRY(report->format->write(report->stream, records, count, totals, err));
    if (fflush(report->stream) != 0)
      return fail_write(report, err);
  }
  return ASSAY_OK;
}

void assay_reports_close(assay_reports *reports) {
  for (size_t i = 0; i < reports->count; i++)
    if (reports->items[i].stream != NULL && reports->items[i].stream != stdout)
      fclose(reports->items[i].stream); // flushed and checked when written
  reports->count = 0;
}
