// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLIR context a process lowers in: all dialects, passes (Assay's own among them) and LLVM
// translations, no threads, so that it can be made once and shared by forked children.
#ifndef ASSAY_COMPILER_LOWER_CONTEXT_H
#define ASSAY_COMPILER_LOWER_CONTEXT_H

#include "compiler/base/error.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_context assay_context;

ASSAY_MUST_USE assay_code assay_context_create(assay_context **out_context, assay_error *err);
void assay_context_destroy(assay_context *context); // NULL is allowed
MlirContext assay_context_get(const assay_context *context);

#ifdef __cplusplus
}
#endif

#endif
