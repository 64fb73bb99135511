// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of numbers.
#ifndef ASSAY_COMPILER_BASE_NUMBERS_H
#define ASSAY_COMPILER_BASE_NUMBERS_H

#include <stddef.h>

// Ascending; none may be NaN.
void assay_numbers_sort(double numbers[], size_t count);

#endif
