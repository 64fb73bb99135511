// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code that keeps numbers has beyond that of shadows; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_EXACT_KINDS_H
#define ASSAY_COMPILER_ORIGIN_EXACT_KINDS_H

#include "compiler/base/text.h"
#include "compiler/ir/builder.h"
#include "compiler/origin/exact.h"
#include "compiler/origin/shadow.h"

// Sets what assay_kind_complete leaves open: of a select the condition becomes the last operand,
// of conversions of floats of a byte the format.
void assay_exact_complete(MlirOperation operation, const assay_builder *at, MlirSymbolTable symbols,
                          assay_shadow_op *op, MlirValue values[]);

// The beginning of a helper, which returns where %v0, of that type, needs no number.
void assay_quick_print(assay_text *text, MlirType type, const char *type_text);

// Marks constants of the lowered module, and names all of them.
ASSAY_MUST_USE assay_code assay_exact_sources(MlirModule module, assay_origin_kind kind,
                                              MlirModule names, assay_shared *shared,
                                              assay_origin_report *report, assay_error *err);

#endif
