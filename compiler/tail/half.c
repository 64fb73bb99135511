// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/half.h"

#include <math.h>
#include <string.h>

// NaN keep the upper bits of their fraction, as in hardware: of a double they are 52.
static unsigned nan_fraction(double value, int fraction_bits) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (unsigned)(bits >> (52 - fraction_bits)) & ((1U << fraction_bits) - 1);
}

static double nan_with(unsigned fraction, int fraction_bits) {
  uint64_t bits = UINT64_C(0x7ff) << 52 | (uint64_t)fraction << (52 - fraction_bits);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// A format of 16 bits by its fraction's width; the exponent fills the rest but for the sign.
static uint16_t encode(double value, int fraction_bits) {
  int bias = (1 << (14 - fraction_bits)) - 1, infinite = 2 * bias + 1;
  unsigned sign = signbit(value) ? 0x8000U : 0, top = (unsigned)infinite << fraction_bits;
  if (isnan(value))
    return (uint16_t)(sign | top | 1U << (fraction_bits - 1) | nan_fraction(value, fraction_bits));
  value = fabs(value);
  if (isinf(value))
    return (uint16_t)(sign | top);
  int exponent = value == 0 ? 1 - bias : ilogb(value);
  if (exponent < 1 - bias)
    exponent = 1 - bias; // subnormal
  // Units in the last place; nearbyint rounds ties to even. A carry runs into the exponent.
  double units = nearbyint(ldexp(value, fraction_bits - exponent));
  unsigned bits = (unsigned)units + ((unsigned)(exponent + bias - 1) << fraction_bits);
  return (uint16_t)(sign | (exponent > bias || bits > top ? top : bits));
}

static double decode(uint16_t bits, int fraction_bits) {
  int bias = (1 << (14 - fraction_bits)) - 1, infinite = 2 * bias + 1;
  int exponent = (bits & 0x7fff) >> fraction_bits;
  unsigned fraction = bits & ((1U << fraction_bits) - 1);
  double value;
  if (exponent == infinite)
    value = fraction == 0 ? (double)INFINITY : nan_with(fraction, fraction_bits);
  else if (exponent == 0)
    value = ldexp(fraction, 1 - bias - fraction_bits);
  else
    value = ldexp(fraction | 1U << fraction_bits, exponent - bias - fraction_bits);
  return (bits & 0x8000) != 0 ? -value : value;
}

uint16_t assay_half_from_double(double value) {
  return encode(value, 10);
}

uint16_t assay_bfloat_from_double(double value) {
  return encode(value, 7);
}

double assay_half_to_double(uint16_t bits) {
  return decode(bits, 10);
}

double assay_bfloat_to_double(uint16_t bits) {
  return decode(bits, 7);
}
