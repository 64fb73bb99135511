// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's IR, and what it computes, outside a run: always in an isolated child.
#ifndef ASSAY_HARNESS_CLI_STAGES_H
#define ASSAY_HARNESS_CLI_STAGES_H

#include "harness/cli/subject.h"

// Writes the IR at a stage ("tensor", or one of the backend's pipeline) to the stream; with "all"
// at each stage, with headings as comments and `// -----` between them, as mlir-opt reads it, with
// --split-input-file or without. ASSAY_INVALID for a stage that the pipeline does not have.
ASSAY_MUST_USE assay_code assay_stages_print(const assay_session *session,
                                             const assay_subject *subject, const char *stage,
                                             FILE *stream, assay_error *err);

// Runs the program once on the subject's backend and writes its results as folder/got.npy, or
// folder/got-N.npy where there are several.
ASSAY_MUST_USE assay_code assay_stages_save_results(const assay_session *session,
                                                    const assay_subject *subject,
                                                    const char *folder, assay_error *err);

#endif
