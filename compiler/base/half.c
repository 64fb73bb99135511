// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/half.h"

#include <math.h>

// Sign, 5 bits of exponent, 10 of fraction: fraction 2^(exponent - 25) with the hidden bit, and
// multiples of 2^-24 where the exponent is 0.
enum { FRACTION_BITS = 10, BIAS = 25, EXPONENT_MAX = 31, HIDDEN = 1 << FRACTION_BITS };

double assay_half_number(uint16_t bits) {
  int exponent = bits >> FRACTION_BITS & EXPONENT_MAX, fraction = bits & (HIDDEN - 1);
  double size;
  if (exponent == EXPONENT_MAX)
    size = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    size = ldexp(fraction, 1 - BIAS);
  else
    size = ldexp(fraction + HIDDEN, exponent - BIAS);
  return bits >> 15 ? -size : size;
}

uint16_t assay_half_bits(double number) {
  unsigned sign = signbit(number) ? 1u << 15 : 0;
  double size = fabs(number);
  if (isnan(number))
    return (uint16_t)(sign | EXPONENT_MAX << FRACTION_BITS | HIDDEN >> 1);
  if (size >= 0x1p16)
    return (uint16_t)(sign | EXPONENT_MAX << FRACTION_BITS);
  if (size < 0x1p-14)
    return (uint16_t)(sign | (unsigned)ldexp(size, BIAS - 1));
  int exponent;
  unsigned fraction = (unsigned)ldexp(frexp(size, &exponent), FRACTION_BITS + 1) - HIDDEN;
  exponent += BIAS - FRACTION_BITS - 1;
  return (uint16_t)(sign | (unsigned)exponent << FRACTION_BITS | fraction);
}
