// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a command writes, and whether anything that it reads or keeps stands there. Files are the
// same by device and inode, or where one is not there yet by the path that links lead to.
#ifndef ASSAY_HARNESS_CLI_PLACES_H
#define ASSAY_HARNESS_CLI_PLACES_H

#include "harness/cli/session.h"

// Checks the paths of --format, before anything is opened; "-" is none. ASSAY_INVALID where one is
// another of them, a source of records (of STORE@WHAT the store), the baseline, the thresholds, a
// suite, the other build, run.jsonl or base.jsonl of the folder of --out, the store, or what SQLite
// keeps beside one.
ASSAY_MUST_USE assay_code assay_places_check_reports(const assay_session *session,
                                                     const char *const paths[], size_t count,
                                                     assay_error *err);
// The same of the files that go into the folder of --out, but for the store.
ASSAY_MUST_USE assay_code assay_places_check_out(const assay_session *session, assay_error *err);

#endif
