// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run.jsonl: one record a line, written as they come, by one run at a time.
#ifndef ASSAY_HARNESS_CLI_JOURNAL_H
#define ASSAY_HARNESS_CLI_JOURNAL_H

#include "results/record/record.h"

typedef struct assay_journal {
  const char *path;
  int descriptor;  // holds the lock, which ends with this process at the latest
  bool created;    // the file was not there before
  assay_file held; // what assay_journal_read found: whole lines only
} assay_journal;

// Opens the file and locks it; what it holds stays as it is. folder: where it is, for messages.
// ASSAY_FAILED where it cannot be written, is no regular file, or another run has it.
ASSAY_MUST_USE assay_code assay_journal_open(assay_arena *arena, const char *folder,
                                             assay_journal *out_journal, assay_error *err);
void assay_journal_close(assay_journal *journal);

// Empties it.
ASSAY_MUST_USE assay_code assay_journal_clear(const assay_journal *journal, assay_error *err);

// Its records, in order; a last line that is not finished is cut off, so that appending goes on
// with whole ones. ASSAY_INVALID with the line where it holds anything else.
ASSAY_MUST_USE assay_code assay_journal_read(assay_arena *arena, assay_journal *journal,
                                             assay_record **out_records, size_t *out_count,
                                             assay_error *err);

// Keeps of what was read the lines whose number (from 0) is marked, as they are, in one step: a
// reader sees the old file or the new one.
ASSAY_MUST_USE assay_code assay_journal_keep(assay_arena *arena, assay_journal *journal,
                                             const bool marked[], assay_error *err);

// Puts these records in the place of all that it holds, in one step.
ASSAY_MUST_USE assay_code assay_journal_rewrite(assay_arena *arena, assay_journal *journal,
                                                const assay_record records[], size_t count,
                                                assay_error *err);

// Appends a record's line, and none of it where it does not fit: ASSAY_FAILED.
ASSAY_MUST_USE assay_code assay_journal_append(const assay_journal *journal, const char *line,
                                               assay_error *err);

#endif
