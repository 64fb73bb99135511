// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left by a reduction: in the bundle, on standard output, as JSON.
#ifndef ASSAY_HARNESS_CLI_REDUCED_H
#define ASSAY_HARNESS_CLI_REDUCED_H

#include "harness/cli/reducible.h"

typedef struct assay_reduced {
  const assay_session *session;
  const assay_reducible *subject;
  const assay_reduction *reduction;
} assay_reduced;

// Writes the bundle's reduced.mlir, where there is a bundle: whole or not at all. ASSAY_FAILED with
// the path.
ASSAY_MUST_USE assay_code assay_reduced_keep(const assay_reduced *it, const char *text,
                                             assay_error *err);
// Adds to the bundle's README what the smallest program is and which commands show the fault.
// plain: by MLIR's own tools alone, "" where there are none.
ASSAY_MUST_USE assay_code assay_reduced_tell(const assay_reduced *it, const char *plain,
                                             assay_error *err);
// --json, where it is asked for.
ASSAY_MUST_USE assay_code assay_reduced_write_json(const assay_reduced *it, assay_error *err);
// The answer: of a bundle the sentence and the sizes, else the program itself.
void assay_reduced_print(const assay_reduced *it);

#endif
