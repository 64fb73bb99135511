// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where what is asked for is before anything is computed; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_SOURCES_H
#define ASSAY_COMPILER_ORIGIN_SOURCES_H

#include "compiler/ir/walk.h"
#include "compiler/origin/origin.h"

// Marks and reports the constants among the operations. Those for which no number is left share the
// last one.
ASSAY_MUST_USE assay_code assay_sources_mark(const assay_operations *all, assay_origin_kind kind,
                                             assay_shared *shared, assay_origin_report *report,
                                             assay_error *err);

// Hides constants from those who would fold what is computed of them: what is folded makes its NaN
// unseen. Floats are hidden from all, whole numbers from arithmetic that makes floats of them.
void assay_sources_hide(const assay_operations *all);

// Whether an operation's place tells where what it holds stands: those of functions and modules are
// the places of hundreds of lines.
bool assay_origin_is_narrow(MlirOperation operation);

#endif
