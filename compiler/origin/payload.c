// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/payload.h"

#include <stddef.h>
#include <string.h>

const assay_payload_format *assay_payload_of(assay_origin_format format) {
  static const assay_payload_format formats[] = {
      [ASSAY_ORIGIN_F16] = {"f16", 16, 10},
      [ASSAY_ORIGIN_BF16] = {"bf16", 16, 7},
      [ASSAY_ORIGIN_F32] = {"f32", 32, 23},
      [ASSAY_ORIGIN_F64] = {"f64", 64, 52},
  };
  bool is_float = format >= ASSAY_ORIGIN_F16 && format <= ASSAY_ORIGIN_F64;
  return is_float ? &formats[format] : NULL;
}

static uint64_t ones(int count) {
  return (UINT64_C(1) << count) - 1;
}

uint64_t assay_payload_exponent(const assay_payload_format *format) {
  return ones(format->bits - 1 - format->fraction) << format->fraction;
}

uint64_t assay_payload_plain(const assay_payload_format *format) {
  return assay_payload_exponent(format) | UINT64_C(1) << (format->fraction - 1);
}

static int shift_of(const assay_payload_format *format) {
  return format->fraction - 1 - ASSAY_PAYLOAD_BITS;
}

uint64_t assay_payload_mask(const assay_payload_format *format) {
  return assay_payload_plain(format) | ones(ASSAY_PAYLOAD_BITS) << shift_of(format);
}

uint64_t assay_payload_load(const assay_payload_format *format, const void *element) {
  uint64_t bits = 0;
  memcpy(&bits, element, (size_t)format->bits / 8);
  return bits;
}

void assay_payload_store(const assay_payload_format *format, void *element, uint64_t bits) {
  memcpy(element, &bits, (size_t)format->bits / 8);
}

static bool is_finite(const assay_payload_format *format, uint64_t bits) {
  return (bits & assay_payload_exponent(format)) != assay_payload_exponent(format);
}

bool assay_payload_is_nan(const assay_payload_format *format, uint64_t bits) {
  return !is_finite(format, bits) && (bits & ones(format->fraction)) != 0;
}

bool assay_payload_is_inf(const assay_payload_format *format, uint64_t bits) {
  return !is_finite(format, bits) && (bits & ones(format->fraction)) == 0;
}

uint64_t assay_payload_put(const assay_payload_format *format, uint64_t bits, int number) {
  uint64_t sign = bits & UINT64_C(1) << (format->bits - 1);
  return sign | assay_payload_plain(format) | (uint64_t)number << shift_of(format);
}

int assay_payload_get(const assay_payload_format *format, uint64_t bits) {
  if (!assay_payload_is_nan(format, bits))
    return 0;
  return (int)(bits >> shift_of(format) & ones(ASSAY_PAYLOAD_BITS));
}
