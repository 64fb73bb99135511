// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The signature of a bufferized program.
#ifndef ASSAY_COMPILER_LOWER_SIGNATURE_H
#define ASSAY_COMPILER_LOWER_SIGNATURE_H

#include "compiler/language/graph.h"

#include <mlir-c/IR.h>

// Whether @main takes the program's inputs and then its results as contiguous memrefs, and returns
// nothing: a call by any other signature would succeed and leave garbage. ASSAY_FAILED with what it
// takes instead.
ASSAY_MUST_USE assay_code assay_signature_check(MlirModule module, const assay_program *program,
                                                assay_error *err);

#endif
