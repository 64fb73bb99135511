// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `assay reduce` is asked about: a bundle, or a file and a pipeline.
#ifndef ASSAY_HARNESS_CLI_REDUCIBLE_H
#define ASSAY_HARNESS_CLI_REDUCIBLE_H

#include "harness/cli/ticker.h"
#include "harness/cli/session.h"
#include "harness/ledger/manifest.h"
#include "harness/reduce/reduce.h"

typedef struct assay_reducible {
  assay_manifest manifest;      // of the bundle, or as one of the file's ledger would be
  const char *folder;           // of the bundle; NULL where there is none
  const char *module;           // the file of the module, for messages
  const char *text;             // of the module before the pass
  const char *sentence;         // the ledger's, where it was asked; ""
  const char *nothing;          // why there is nothing to reduce; NULL
  assay_ledger_request request; // all but source and pipeline
} assay_reducible;

// A folder is opened as a bundle, with the options that its ledger was given; the session's own
// --jobs, --timeout and --memory count over them. ASSAY_INVALID, with the file, where it cannot be
// used.
ASSAY_MUST_USE assay_code assay_reducible_open_bundle(const assay_session *session,
                                                      const char *folder,
                                                      assay_reducible *out_reducible,
                                                      assay_error *err);
// A file goes through the ledger first; with --save its bundle is written.
ASSAY_MUST_USE assay_code assay_reducible_open_file(const assay_session *session, const char *path,
                                                    assay_ticker *ticker,
                                                    assay_reducible *out_reducible,
                                                    assay_error *err);

#endif
