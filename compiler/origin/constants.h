// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that hold a NaN; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_CONSTANTS_H
#define ASSAY_COMPILER_ORIGIN_CONSTANTS_H

#include "compiler/origin/origin.h"

// Whether a llvm.mlir.constant or llvm.mlir.global holds a NaN; then all in it carry the number.
bool assay_constant_mark(MlirOperation operation, int number);

#endif
