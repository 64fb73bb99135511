// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reports of --format NAME=FILE.
#ifndef ASSAY_HARNESS_CLI_REPORT_H
#define ASSAY_HARNESS_CLI_REPORT_H

#include "harness/cli/session.h"
#include "results/formats/format.h"

typedef struct assay_report {
  const assay_format *format;
  const char *path; // "-": standard output
  FILE *stream;     // NULL while it is not open
} assay_report;

typedef struct assay_reports {
  assay_report *items;
  size_t count;
  bool own_stdout; // one goes to standard output, which is then its alone
} assay_reports;

// Understands the options. ASSAY_INVALID for an unknown format, naming the nearest, for what is no
// NAME=FILE, and for two reports on standard output.
ASSAY_MUST_USE assay_code assay_reports_plan(const assay_session *session,
                                             assay_reports *out_reports, assay_error *err);
// Opens all files, so that one that cannot be written is found before the run. ASSAY_FAILED.
ASSAY_MUST_USE assay_code assay_reports_open(assay_reports *reports, assay_error *err);
ASSAY_MUST_USE assay_code assay_reports_write(const assay_reports *reports,
                                              const assay_record records[], size_t count,
                                              const assay_run_totals *totals, assay_error *err);
void assay_reports_close(assay_reports *reports);

#endif
