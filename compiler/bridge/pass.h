// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes written in C: registered with MLIR by name, so that they stand in textual pipelines like
// any other. (The C API can make such a pass, but cannot register it.)
#ifndef ASSAY_COMPILER_BRIDGE_PASS_H
#define ASSAY_COMPILER_BRIDGE_PASS_H

#include "compiler/base/error.h"

#include <mlir-c/IR.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_pass {
  const char *argument;        // the name in a pipeline, "assay-fold-transposes"
  const char *description;     // one line
  const char *anchor;          // what it runs on: "builtin.module", "func.func"
  const char *const *dialects; // (optional) those whose operations it makes; ends with NULL
  // Changes the operation in place. On failure the text becomes MLIR's diagnostic at the operation,
  // and the pipeline stops.
  assay_code (*run)(MlirOperation operation, assay_error *err);
} assay_pass;

// Registers the pass for the whole process, as MLIR's own are; again is allowed for the same pass.
// The table must live as long as the process.
void assay_pass_register(const assay_pass *pass);
// Whether a pass of this argument was registered so: no other program knows it.
bool assay_pass_is_own(const char *argument);

#ifdef __cplusplus
}
#endif

#endif
