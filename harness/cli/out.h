// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of --out: run.jsonl, summary.txt and repro/SLUG-HASH/.
#ifndef ASSAY_HARNESS_CLI_OUT_H
#define ASSAY_HARNESS_CLI_OUT_H

#include "results/formats/format.h"

typedef struct assay_out {
  const char *folder;  // as given
  const char *records; // "FOLDER/run.jsonl"
  FILE *stream;        // of run.jsonl
} assay_out;

// Makes the folder and opens run.jsonl in it, empty, its old repro/ cleared; or, to resume, with
// the whole records that it holds kept and returned. ASSAY_FAILED where it cannot be written, with
// the path; ASSAY_INVALID where what is to be resumed is no run.jsonl.
ASSAY_MUST_USE assay_code assay_out_open(assay_arena *arena, const char *folder, bool resume,
                                         assay_out *out_out, assay_record **out_kept,
                                         size_t *out_kept_count, assay_error *err);
void assay_out_close(assay_out *out);

// Appends a record's line and flushes it.
ASSAY_MUST_USE assay_code assay_out_append(const assay_out *out, const char *line,
                                           assay_error *err);

// Writes FOLDER/summary.txt.
ASSAY_MUST_USE assay_code assay_out_summarise(assay_arena *arena, const assay_out *out,
                                              const assay_record records[], size_t count,
                                              const assay_run_totals *totals, assay_error *err);

// "FOLDER/repro/SLUG-HASH" for a record's key: a readable slug and the key's hash.
const char *assay_out_repro(assay_arena *arena, const assay_out *out, const char *key);

// Makes a folder and those above it. ASSAY_FAILED with the path.
ASSAY_MUST_USE assay_code assay_folder_make(const char *path, assay_error *err);
// Writes a whole file. ASSAY_FAILED with the path.
ASSAY_MUST_USE assay_code assay_file_write(const char *path, const char *text, assay_error *err);

#endif
