// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers of one `assay ledger`, of each piece of the file and entry: told, kept, and as JSON.
#ifndef ASSAY_HARNESS_CLI_ANSWERS_H
#define ASSAY_HARNESS_CLI_ANSWERS_H

#include "harness/cli/options.h"
#include "harness/ledger/ledger.h"

typedef struct assay_answered {
  const char *piece; // the file's name, with the piece's number where there are several
  const char *pipeline;
  const char *file;           // as it was given
  const char *started;        // UTC, as in records
  double seconds;             // that the answer took
  const char *before, *after; // files of the bundle, or NULL
  const assay_ledger_answer *answer;
} assay_answered;

typedef struct assay_answers {
  const assay_options *options;
  assay_arena *arena;
  assay_answered *items;
  size_t count;
  bool several; // pieces or entries
} assay_answers;

void assay_answers_add(assay_answers *to, const assay_answered *one);
// Prints the last one, and what is to be noted of it.
void assay_answers_print(const assay_answers *of);
// Writes the bundle of the last one, where one is wanted and a pass is named. ASSAY_FAILED with the
// path; nothing of it is then left.
ASSAY_MUST_USE assay_code assay_answers_save(assay_answers *of, const assay_ledger_request *request,
                                             assay_error *err);

// The one whose bad pass comes first in the pipeline; else one that is inconclusive; else any.
// There must be one.
const assay_answered *assay_answers_whole(const assay_answers *of);

// Writes --json, where it is asked for. stopped: there may be none, of the file then, or not all.
ASSAY_MUST_USE assay_code assay_answers_write_json(const assay_answers *of, const char *file,
                                                   bool stopped, assay_error *err);

#endif
