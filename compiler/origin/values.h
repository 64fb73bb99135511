// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the program as numbers; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_VALUES_H
#define ASSAY_COMPILER_ORIGIN_VALUES_H

#include "compiler/origin/origin.h"

// One lane as a double; NaN of what has nothing to show.
double assay_value_number(const assay_origin_type *type, const void *values, int lane);

#endif
