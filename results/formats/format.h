// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Report formats: records -> a document. One file each in results/formats/; the file's name is the
// format's.
#ifndef ASSAY_RESULTS_FORMATS_FORMAT_H
#define ASSAY_RESULTS_FORMATS_FORMAT_H

#include "results/record/history.h"
#include "results/record/record.h"

// One row of a comparison with a baseline.
typedef struct assay_baseline_row {
  const char *key, *metric;     // "run", "compile", "margin", "verdict", a counter
  const char *base, *now;       // both values in words; NULL where there is none
  double ratio, low, high;      // now / base and its interval; NaN where there is none
  const char *verdict, *reason; // "SLOWER"; the reason may be NULL
  bool same;                    // nothing to look at: a document may count it only
  bool regression;              // it fails the gate
  bool worse;                   // worse than the baseline, whether or not it fails the gate
  size_t others;                // rows of the comparison that this one stands for, but for itself
} assay_baseline_row;

typedef struct assay_baseline {
  const char *base; // what it was compared with, as the user named it
  const char *note; // (optional) one sentence: how sure the rows are
  size_t count;
  const assay_baseline_row *rows;
} assay_baseline;

// The past of cases, where somebody keeps it.
typedef struct assay_history {
  void *user;
  // The points of one case, oldest first, in the arena; none is no failure.
  assay_code (*find)(void *user, assay_arena *arena, assay_record_kind kind, const char *key,
                     const assay_history_point **out_points, size_t *out_count, assay_error *err);
} assay_history;

// What a document says about the run as a whole.
typedef struct assay_run_totals {
  double seconds;            // wall clock of the whole run; NaN: not known
  int64_t peak_memory_bytes; // of the parent process; 0: not known
  const char *records;       // where run.jsonl is, or NULL
  bool color;                // ANSI colors; for the text format only
  // All of these are optional.
  const assay_baseline *comparison;
  const assay_history *history;
  const char *const *folders; // those that hold repro/SLUG/ of the records
  size_t folder_count;
  bool no_plots; // gnuplot is not to be started
  // For each record: whether a baseline has the same bad verdict. Its verdict is XFAIL then, and
  // its reason says what it was.
  const bool *known;
  // What failed besides, one sentence each: it is said first.
  const char *const *failures;
  size_t failure_count;
  // Is told what a document had to leave out: "gnuplot is not installed: ...". One line.
  void (*note)(const char *text);
} assay_run_totals;

typedef struct assay_format {
  const char *name;    // "junit"
  const char *summary; // one line for list
  // Writes the whole document to the stream, which stays open. ASSAY_FAILED where writing fails.
  assay_code (*write)(FILE *stream, const assay_record records[], size_t count,
                      const assay_run_totals *totals, assay_error *err);
} assay_format;

// All of them, sorted by name; the array ends with NULL.
const assay_format *const *assay_formats_get(void);
// NULL where there is none of that name.
const assay_format *assay_format_find(const char *name);

#endif
