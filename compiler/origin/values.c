// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/values.h"

#include "compiler/base/half.h"
#include "compiler/bridge/small_floats.h"

#include <math.h>
#include <string.h>

static double from_integer(const assay_origin_type *type, const unsigned char *at) {
  uint64_t bits = 0;
  int width = 8 * type->bytes;
  memcpy(&bits, at, (size_t)type->bytes);
  if (type->format == ASSAY_ORIGIN_UNSIGNED)
    return (double)bits;
  if (width < 64 && (bits >> (width - 1) & 1) != 0)
    bits |= ~UINT64_C(0) << width;
  return (double)(int64_t)bits;
}

double assay_value_number(const assay_origin_type *type, const void *values, int lane) {
  const unsigned char *at = (const unsigned char *)values + (ptrdiff_t)lane * type->bytes;
  uint16_t half;
  uint32_t wide;
  float single;
  double full;
  if (type->format >= ASSAY_ORIGIN_F8)
    return assay_small_float_value((assay_small_float)(type->format - ASSAY_ORIGIN_F8), *at);
  switch (type->format) {
  case ASSAY_ORIGIN_F16:
    memcpy(&half, at, sizeof half);
    return assay_half_number(half);
  case ASSAY_ORIGIN_BF16:
    memcpy(&half, at, sizeof half);
    wide = (uint32_t)half << 16;
    memcpy(&single, &wide, sizeof single);
    return single;
  case ASSAY_ORIGIN_F32:
    memcpy(&single, at, sizeof single);
    return single;
  case ASSAY_ORIGIN_F64:
    memcpy(&full, at, sizeof full);
    return full;
  case ASSAY_ORIGIN_SIGNED:
  case ASSAY_ORIGIN_UNSIGNED:
    return from_integer(type, at);
  case ASSAY_ORIGIN_OTHER:
  case ASSAY_ORIGIN_F8:
    break;
  }
  return NAN;
}
