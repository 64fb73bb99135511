// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's diagnostics as error texts instead of lines on stderr.
#ifndef ASSAY_COMPILER_IR_DIAGNOSTICS_H
#define ASSAY_COMPILER_IR_DIAGNOSTICS_H

#include "compiler/base/error.h"
#include "compiler/ir/excerpt.h"

#include <mlir-c/Diagnostics.h>

// Between open and close, what the context reports is collected here: errors and their notes, the
// first ones where room is short. The struct must not move meanwhile.
typedef struct assay_diagnostics {
  MlirContext context;
  MlirDiagnosticHandlerID handler;
  assay_excerpt said; // "PLACE: MESSAGE" joined by "; "
} assay_diagnostics;

void assay_diagnostics_open(assay_diagnostics *diagnostics, MlirContext context);
void assay_diagnostics_close(assay_diagnostics *diagnostics);

// Fills *err with "WHAT: " and the collected text, or a word that MLIR gave none; returns
// ASSAY_FAILED.
ASSAY_MUST_USE assay_code assay_diagnostics_fail(const assay_diagnostics *diagnostics,
                                                 const char *what, assay_error *err);

#endif
