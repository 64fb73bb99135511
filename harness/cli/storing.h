// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The store that a verb writes to (--store, --tag): found to be usable before the work, and given
// the records after it. It is not open meanwhile, since the work forks.
#ifndef ASSAY_HARNESS_CLI_STORING_H
#define ASSAY_HARNESS_CLI_STORING_H

#include "harness/cli/reports.h"
#include "harness/cli/session.h"
#include "results/store/store.h"

typedef struct assay_storing {
  const char *path; // NULL: nothing is stored
  const char *tag;  // NULL: none
  bool made;        // the file was not there before
  const char *folder;
  size_t folders_made; // as assay_folders_make has it
} assay_storing;

// Understands the options; by_default: without --store the default store is written to.
// ASSAY_INVALID for what can be no tag, and for a tag where nothing is stored.
ASSAY_MUST_USE assay_code assay_storing_plan(const assay_session *session, bool by_default,
                                             assay_storing *out_storing, assay_error *err);
// Makes the file and its folder where they are not there, and checks that it is a store and could
// be written to now; fails as assay_store_open, with nothing left, and ASSAY_INVALID where that
// file is the opened folder's run.jsonl or summary.txt, or a report's. out, reports: (optional)
// opened, and planned.
ASSAY_MUST_USE assay_code assay_storing_open(assay_arena *arena, assay_storing *storing,
                                             const assay_out *out, const assay_reports *reports,
                                             assay_error *err);
// Removes what opening made.
void assay_storing_abandon(assay_arena *arena, assay_storing *storing);
// Stores the records. Where that fails the message says that they are in `kept`, a file; NULL:
// nowhere.
ASSAY_MUST_USE assay_code assay_storing_finish(const assay_storing *storing,
                                               const assay_record records[], size_t count,
                                               const char *kept, assay_error *err);

// All that an answer of many records is written to: the folder of --out, the store (planned here,
// the default one where --out is not given), and the planned reports. Nothing of an earlier answer
// is lost before all of them are open; where one cannot be, all are left as they were.
ASSAY_MUST_USE assay_code assay_storing_open_all(const assay_session *session,
                                                 assay_storing *out_storing, assay_out *out_out,
                                                 assay_reports *reports, assay_error *err);

#endif
