// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sixteen-bit floats, rounded to nearest, ties to even, once.
#ifndef ASSAY_COMPILER_TAIL_HALF_H
#define ASSAY_COMPILER_TAIL_HALF_H

#include <stdint.h>

uint16_t assay_half_from_double(double value);   // IEEE binary16
uint16_t assay_bfloat_from_double(double value); // the upper half of an IEEE binary32
double assay_half_to_double(uint16_t bits);
double assay_bfloat_to_double(uint16_t bits);

#endif
