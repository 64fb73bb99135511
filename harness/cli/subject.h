// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one case that `assay show` is about.
#ifndef ASSAY_HARNESS_CLI_SUBJECT_H
#define ASSAY_HARNESS_CLI_SUBJECT_H

#include "compiler/backends/backend.h"
#include "harness/cli/selection.h"

typedef struct assay_subject {
  assay_case a_case;
  const char *data;             // of --data, else of the key, else "int"
  const assay_backend *backend; // of --backend, else of the key, else NULL
  const assay_program *program; // NULL where the language rejects it
  const char *rejection;        // with what message, or NULL
} assay_subject;

// Finds the one case that the command's argument names (a case line, a record's key, or a filter
// over the suite) or that its --case, --suite and --filter select, and builds its program.
// ASSAY_INVALID otherwise, naming what is selected or what may have been meant.
ASSAY_MUST_USE assay_code assay_subject_find(const assay_session *session,
                                             assay_subject *out_subject, assay_error *err);

#endif
