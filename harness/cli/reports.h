// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reports of --format NAME=FILE,NAME=FILE; a comma of a file's name is written as two.
#ifndef ASSAY_HARNESS_CLI_REPORTS_H
#define ASSAY_HARNESS_CLI_REPORTS_H

#include "harness/cli/out.h"
#include "harness/cli/session.h"
#include "results/formats/format.h"

typedef struct assay_report {
  const assay_format *format;
  const char *path; // "-": standard output
  FILE *stream;     // NULL while it is not open
  int descriptor;   // of the stream; -1 for standard output
  bool created;     // the file was not there before, and nothing is in it yet
} assay_report;

typedef struct assay_reports {
  assay_report *items;
  size_t count;
  bool own_stdout; // one goes to standard output, which is then its alone
} assay_reports;

// Understands the options. ASSAY_INVALID for an unknown format, naming the nearest, for what is no
// NAME=FILE, for two reports with one path, and as assay_places_check_reports.
ASSAY_MUST_USE assay_code assay_reports_plan(const assay_session *session,
                                             assay_reports *out_reports, assay_error *err);
// Opens all files, so that one that cannot be written is found before the run: ASSAY_FAILED. What
// stands in them stays until they are written.
// ASSAY_INVALID where one is another report's, by whatever name, standard output, or run.jsonl or
// summary.txt of the opened folder. Where any fails all files are left as they were.
ASSAY_MUST_USE assay_code assay_reports_open(assay_arena *arena, assay_reports *reports,
                                             const assay_out *out, assay_error *err);
// The same where the command's own files are these.
ASSAY_MUST_USE assay_code assay_reports_open_beside(assay_reports *reports, const assay_names *own,
                                                    assay_error *err);
// Writes them; notes go to standard error. ASSAY_FAILED where one cannot be written: all files are
// left as they were then, but for those in folders that take no new file.
ASSAY_MUST_USE assay_code assay_reports_write(const assay_reports *reports,
                                              const assay_record records[], size_t count,
                                              const assay_run_totals *totals, assay_error *err);
// The exit code that these records make. ASSAY_UNSUPPORTED where all were skipped.
ASSAY_MUST_USE assay_code assay_reports_judge(const assay_record records[], size_t count,
                                              int *out_status, assay_error *err);
// Removes what opening made and nobody has written.
void assay_reports_close(assay_reports *reports);

#endif
