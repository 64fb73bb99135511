// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of --out: run.jsonl, summary.txt and repro/SLUG-HASH/.
#ifndef ASSAY_HARNESS_CLI_OUT_H
#define ASSAY_HARNESS_CLI_OUT_H

#include "harness/cli/journal.h"
#include "results/formats/format.h"

#define ASSAY_BASE_RECORDS "base.jsonl" // of the other build, beside run.jsonl: bench --against

typedef struct assay_out {
  const char *folder; // as given
  assay_journal journal;
  size_t made; // bytes of the folder's path up to the first part that was not there; 0: all was
} assay_out;

// Makes the folder and opens its run.jsonl for this run alone, without changing anything that is
// there. ASSAY_FAILED where it cannot be written or another run writes to it, with the path.
ASSAY_MUST_USE assay_code assay_out_open(assay_arena *arena, const char *folder, assay_out *out_out,
                                         assay_error *err);
// Closes it as it was found: what opening made is removed.
void assay_out_abandon(assay_arena *arena, assay_out *out);
void assay_out_close(assay_out *out);

// Begins anew: run.jsonl is emptied, and summary.txt, base.jsonl and of repro/ what runs
// write are removed.
ASSAY_MUST_USE assay_code assay_out_begin(assay_arena *arena, const assay_out *out,
                                          assay_error *err);
// Removes what an earlier run left in repro/ for the record of that key.
void assay_out_forget(assay_arena *arena, const assay_out *out, const char *key);

// Writes FOLDER/summary.txt.
ASSAY_MUST_USE assay_code assay_out_summarise(assay_arena *arena, const assay_out *out,
                                              const assay_record records[], size_t count,
                                              const assay_run_totals *totals, assay_error *err);

// "FOLDER/repro/SLUG-HASH" for a record's key: a readable slug and the key's hash.
const char *assay_out_repro(assay_arena *arena, const assay_out *out, const char *key);

// Whether a folder could be made, and files in it; nothing is left. ASSAY_FAILED with the path.
ASSAY_MUST_USE assay_code assay_folder_probe(assay_arena *arena, const char *path,
                                             assay_error *err);
// Makes a folder and those above it. ASSAY_FAILED with the path.
ASSAY_MUST_USE assay_code assay_folder_make(const char *path, assay_error *err);
// The same; *out_made: how many bytes of the path name the first that was not there, 0 where all
// were.
ASSAY_MUST_USE assay_code assay_folders_make(const char *path, size_t *out_made, assay_error *err);
// Removes the folders that were made, where nothing is in them.
void assay_folders_unmake(assay_arena *arena, const char *path, size_t made);

#endif
