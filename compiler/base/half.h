// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754 binary16 numbers as bits, since C17 has no type for them.
#ifndef ASSAY_BASE_HALF_H
#define ASSAY_BASE_HALF_H

#include <stdint.h>

// The number of those bits; exact. A NaN for every NaN.
double assay_half_number(uint16_t bits);
// The bits of a number; infinite from 2^16, and rounded toward zero where binary16 lacks it.
uint16_t assay_half_bits(double number);

#endif
