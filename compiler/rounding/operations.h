// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations of the llvm dialect round, which are exact, and which are neither known.
#ifndef ASSAY_COMPILER_ROUNDING_OPERATIONS_H
#define ASSAY_COMPILER_ROUNDING_OPERATIONS_H

#include "compiler/rounding/helpers.h"

typedef enum assay_rounding_class {
  ASSAY_ROUNDING_NONE,    // exact, or makes no floating number
  ASSAY_ROUNDING_KNOWN,   // rounds: described
  ASSAY_ROUNDING_REDUCES, // llvm.intr.vector.reduce.fadd, fmul: the operation on its elements
  ASSAY_ROUNDING_UNKNOWN, // makes floating numbers, nobody knows how
} assay_rounding_class;

// Describes an operation; calls of functions that the module defines are of class NONE.
assay_rounding_class assay_operation_classify(MlirOperation operation, MlirSymbolTable symbols,
                                              assay_rounded *out_rounded);

// Whether a call's callee is known and has a body in the module.
bool assay_operation_calls_defined(MlirOperation call, MlirSymbolTable symbols);

// Its name, "llvm.fadd"; for calls "llvm.call @NAME".
void assay_operation_name(MlirOperation operation, size_t size, char out_name[]);

#endif
