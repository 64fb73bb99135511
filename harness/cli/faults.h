// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The suite "faults": modules and pipelines that are known to go wrong, or right where it was
// doubted, and whether the ledger says so.
#ifndef ASSAY_HARNESS_CLI_FAULTS_H
#define ASSAY_HARNESS_CLI_FAULTS_H

#include "harness/cli/selection.h"
#include "harness/ledger/known.h"
#include "results/record/record.h"

typedef struct assay_fault_list {
  const assay_known_fault *items;
  size_t count;
} assay_fault_list;

// Whether the command names this suite. ASSAY_INVALID where it names others or cases besides, or
// options that say nothing of it.
ASSAY_MUST_USE assay_code assay_faults_wanted(const assay_session *session, bool *out_wanted,
                                              assay_error *err);
// Those that the filters and the shard select. ASSAY_INVALID where a file is malformed or nothing
// is selected.
ASSAY_MUST_USE assay_code assay_faults_select(const assay_session *session,
                                              assay_fault_list *out_faults, assay_error *err);
// Asks the ledger about each of them in turn, and hands a record to keep as it comes: PASS where
// the pass and the class are those of the file.
ASSAY_MUST_USE assay_code
assay_faults_run(const assay_session *session, const assay_fault_list *faults,
                 const assay_environment *environment, volatile sig_atomic_t *stop,
                 assay_code (*keep)(void *user, const assay_record *record, assay_error *err),
                 void *user, assay_error *err);

#endif
