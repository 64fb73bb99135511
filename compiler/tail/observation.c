// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/observation.h"

#include "compiler/tail/half.h"

#include <stdio.h>
#include <string.h>

void assay_observed_name(const assay_observed *observed, char out_name[32]) {
  static const char *const kinds[] = {"result", "argument", "print"};
  snprintf(out_name, 32, "%s %d", kinds[observed->kind], observed->index);
}

assay_origin_format assay_element_format(assay_element element) {
  static const assay_origin_format formats[] = {
      [ASSAY_ELEMENT_F16] = ASSAY_ORIGIN_F16,
      [ASSAY_ELEMENT_BF16] = ASSAY_ORIGIN_BF16,
      [ASSAY_ELEMENT_F32] = ASSAY_ORIGIN_F32,
      [ASSAY_ELEMENT_F64] = ASSAY_ORIGIN_F64,
  };
  if (element >= ASSAY_ELEMENT_F8 && element <= ASSAY_ELEMENT_F8_LAST)
    return (assay_origin_format)(ASSAY_ORIGIN_F8 + (element - ASSAY_ELEMENT_F8));
  return element <= ASSAY_ELEMENT_F64 ? formats[element] : ASSAY_ORIGIN_OTHER;
}

static double from_integer(const unsigned char *at, int bytes) {
  uint64_t bits = 0;
  if (bytes > 8) // the low half of a wide integer
    bytes = 8;
  memcpy(&bits, at, (size_t)bytes);
  if (bytes < 8 && (bits >> (8 * bytes - 1) & 1) != 0)
    bits |= ~UINT64_C(0) << (8 * bytes);
  return (double)(int64_t)bits;
}

double assay_observed_value(const assay_observed *observed, int64_t i) {
  const unsigned char *at = (const unsigned char *)observed->data + i * observed->bytes;
  uint16_t half;
  float single;
  double full;
  if (observed->element >= ASSAY_ELEMENT_F8 && observed->element <= ASSAY_ELEMENT_F8_LAST)
    return assay_small_float_value((assay_small_float)(observed->element - ASSAY_ELEMENT_F8), *at);
  switch (observed->element) {
  case ASSAY_ELEMENT_F16:
    memcpy(&half, at, sizeof half);
    return assay_half_to_double(half);
  case ASSAY_ELEMENT_BF16:
    memcpy(&half, at, sizeof half);
    return assay_bfloat_to_double(half);
  case ASSAY_ELEMENT_F32:
    memcpy(&single, at, sizeof single);
    return single;
  case ASSAY_ELEMENT_F64:
    memcpy(&full, at, sizeof full);
    return full;
  case ASSAY_ELEMENT_TEXT:
    return *at;
  default:
    break;
  }
  return from_integer(at, observed->bytes);
}
