// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that hold a NaN or an infinity; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_CONSTANTS_H
#define ASSAY_COMPILER_ORIGIN_CONSTANTS_H

#include "compiler/origin/origin.h"

// Whether an attribute of the operation holds what is asked for, but for NaN that have a number
// already. They then carry this one.
bool assay_constant_mark(MlirOperation operation, assay_origin_kind kind, int number);

#endif
