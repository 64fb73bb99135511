// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Report formats: records -> a document. One file each in results/formats/; the file's name is the
// format's.
#ifndef ASSAY_RESULTS_FORMATS_FORMAT_H
#define ASSAY_RESULTS_FORMATS_FORMAT_H

#include "results/record/record.h"

// What a document says about the run as a whole.
typedef struct assay_run_totals {
  double seconds;            // wall clock of the whole run
  int64_t peak_memory_bytes; // of the parent process
  const char *records;       // where run.jsonl is, or NULL
  bool color;                // ANSI colors; for the text format only
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
