// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `assay ledger` was asked: its words and files as a request.
#ifndef ASSAY_HARNESS_CLI_QUESTION_H
#define ASSAY_HARNESS_CLI_QUESTION_H

#include "compiler/bridge/source.h"
#include "harness/cli/session.h"
#include "harness/ledger/ledger.h"

// What `assay run` asks of modules of its own: a context with all passes, and the limits. No data
// set, no shared memory. A time limit of the user's own counts for states too.
assay_ledger_request assay_question_of_run(const assay_session *session,
                                           volatile sig_atomic_t *stop);
// Opens what every piece of the file shares: a context with all passes, plug-ins, shared memory,
// limits, data sets, arguments and expected values. Nothing has been parsed yet. The request lives
// as long as the arena and the process.
ASSAY_MUST_USE assay_code assay_question_open(const assay_session *session, const assay_file *file,
                                              assay_ledger_request *out_request, assay_error *err);
// Whether "// -----" splits the file: under --split-input-file, or where the RUN line asked for
// says it.
bool assay_question_is_split(const assay_session *session, const assay_file *file);
// The pipeline that was asked for, or the one that the piece brings: its embedded reproducer, or
// with --run-line its RUN line.
ASSAY_MUST_USE assay_code assay_question_pipeline(const assay_session *session,
                                                  const assay_file *file,
                                                  const assay_source_piece *piece,
                                                  assay_ledger_request *request, assay_error *err);
// The built-in pipeline of that name, all its stages one after the other. ASSAY_INVALID naming the
// nearest.
ASSAY_MUST_USE assay_code assay_question_built_in(const assay_session *session, const char *name,
                                                  MlirContext context,
                                                  assay_pass_pipeline **out_pipeline,
                                                  assay_error *err);

#endif
