// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/scalar.h"

#include <math.h>

// To IEEE binary16, which C17 has no type for: 11 significant bits down to 2^-14, below that
// multiples of 2^-24, and infinity from 65520, half a step above the largest number.
static double round_to_f16(double value) {
  if (!isfinite(value) || value == 0)
    return value;
  if (fabs(value) >= 65520)
    return copysign(INFINITY, value);
  int exponent;
  frexp(value, &exponent); // |value| is in [0.5, 1) * 2^exponent
  int step = exponent - 11 > -24 ? exponent - 11 : -24;
  return ldexp(nearbyint(ldexp(value, -step)), step);
}

static double round_to(double value, assay_dtype dtype) {
  switch (dtype) {
  case ASSAY_F32:
    return (double)(float)value;
  case ASSAY_F16:
    return round_to_f16(value);
  default:
    return value;
  }
}

// NumPy converts an integer to f16 by way of f32.
static double from_integer(int64_t integer, assay_dtype to) {
  switch (to) {
  case ASSAY_F32:
    return (double)(float)integer;
  case ASSAY_F16:
    return round_to_f16((double)(float)integer);
  default:
    return (double)integer;
  }
}

static int64_t from_real(double real, assay_dtype to) {
  double limit = to == ASSAY_I32 ? 0x1p31 : 0x1p63;
  if (real > -limit - 1 && real >= -0x1p63 && real < limit)
    return (int64_t)real;
  return to == ASSAY_I32 ? INT32_MIN : INT64_MIN;
}

assay_scalar assay_scalar_cast(const assay_scalar *scalar, assay_dtype from, assay_dtype to) {
  bool floating = assay_dtype_get(from)->floating;
  if (assay_dtype_get(to)->floating)
    return (assay_scalar){.real = floating ? round_to(scalar->real, to)
                                           : from_integer(scalar->integer, to)};
  if (to == ASSAY_BOOL)
    return (assay_scalar){.integer = floating ? scalar->real != 0 : scalar->integer != 0};
  int64_t integer = floating ? from_real(scalar->real, to) : scalar->integer;
  return (assay_scalar){.integer = to == ASSAY_I32 ? (int32_t)(uint32_t)integer : integer};
}

bool assay_integer_fits(int64_t integer, assay_dtype dtype) {
  switch (dtype) {
  case ASSAY_I32:
    return integer >= INT32_MIN && integer <= INT32_MAX;
  case ASSAY_BOOL:
    return integer == 0 || integer == 1;
  default:
    return true;
  }
}
