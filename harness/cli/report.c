// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/report.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool is_stdout(const assay_report *report) {
  return strcmp(report->path, "-") == 0;
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
    for (size_t k = 0; k < i; k++)
      if (strcmp(out_reports->items[k].path, report->path) == 0)
        return assay_fail(err, ASSAY_INVALID,
                          is_stdout(report) ? "--format: two reports on standard output"
                                            : "--format: two reports to '%s'",
                          report->path);
    out_reports->own_stdout = out_reports->own_stdout || is_stdout(report);
  }
  return ASSAY_OK;
}

static assay_code fail_write(const assay_report *report, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, report->path, 0, 0, "cannot write: %s", strerror(errno));
}

// Whether both are of one file, by whatever names. What is written to a device is not mixed there.
static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && !S_ISCHR(a->st_mode);
}

// A report in the place of another one, of a file of the run's own, or among its other answers
// would lose both.
static assay_code check_place(const assay_reports *reports, const assay_report *report,
                              const char *const own[2], assay_error *err) {
  struct stat status, other;
  if (report->descriptor < 0 || fstat(report->descriptor, &status) != 0)
    return fail_write(report, err);
  for (int i = 0; i < 2; i++)
    if (stat(own[i], &other) == 0 && is_same(&status, &other))
      return assay_fail_at(err, ASSAY_INVALID, report->path, 0, 0,
                           "--format: this file is the run's own");
  if (fstat(STDOUT_FILENO, &other) == 0 && is_same(&status, &other))
    return assay_fail_at(err, ASSAY_INVALID, report->path, 0, 0,
                         "--format: this is standard output; give it as '-'");
  for (const assay_report *each = reports->items; each < report; each++)
    if (each->descriptor >= 0 && fstat(each->descriptor, &other) == 0 && is_same(&status, &other))
      return assay_fail_at(err, ASSAY_INVALID, report->path, 0, 0,
                           "--format: two reports to one file");
  return ASSAY_OK;
}

// Opens the file without emptying it.
static assay_code open_report(assay_report *report, assay_error *err) {
  enum { FLAGS = O_WRONLY | O_CLOEXEC | O_NOCTTY };
  report->descriptor = open(report->path, FLAGS | O_CREAT | O_EXCL, 0666);
  report->created = report->descriptor >= 0;
  if (report->descriptor < 0 && errno == EEXIST)
    report->descriptor = open(report->path, FLAGS | O_CREAT, 0666);
  report->stream = report->descriptor >= 0 ? fdopen(report->descriptor, "w") : NULL;
  return report->stream != NULL ? ASSAY_OK : fail_write(report, err);
}

static assay_code open_all(const assay_reports *reports, const char *const own[2],
                           assay_error *err) {
  for (size_t i = 0; i < reports->count; i++) {
    assay_report *report = &reports->items[i];
    if (is_stdout(report)) {
      report->stream = stdout;
      report->descriptor = -1;
      continue;
    }
    TRY(open_report(report, err));
    TRY(check_place(reports, report, own, err));
  }
  return ASSAY_OK;
}

assay_code assay_reports_open(assay_arena *arena, assay_reports *reports, const assay_out *out,
                              assay_error *err) {
  const char *const own[] = {out->journal.path,
                             assay_arena_format(arena, "%s/summary.txt", out->folder)};
  assay_code code = open_all(reports, own, err);
  for (size_t i = 0; i < reports->count; i++) {
    const assay_report *report = &reports->items[i];
    if (code != ASSAY_OK && report->created)
      unlink(report->path);
    // What is no regular file cannot be emptied, nor need be.
    if (code == ASSAY_OK && report->descriptor >= 0)
      (void)!ftruncate(report->descriptor, 0);
  }
  if (code != ASSAY_OK)
    assay_reports_close(reports);
  return code;
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
    if (reports->items[i].stream != NULL && !is_stdout(&reports->items[i]))
      fclose(reports->items[i].stream); // flushed and checked when written
  reports->count = 0;
}
