// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats by their bits: a number from 1 to 63 in the bits of a quiet NaN right below the quiet one.
// Those are the highest six of the fraction that every format from bf16 on has: conversions keep
// them. Of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_PAYLOAD_H
#define ASSAY_COMPILER_ORIGIN_PAYLOAD_H

#include "compiler/origin/origin.h"

enum { ASSAY_PAYLOAD_BITS = 6 };

typedef struct assay_payload_format {
  const char *type; // MLIR's name
  int bits, fraction;
} assay_payload_format;

// NULL for what is no float that can be watched.
const assay_payload_format *assay_payload_of(assay_origin_format format);
// All of the exponent's bits; of a number that is not finite they are all set.
uint64_t assay_payload_exponent(const assay_payload_format *format);
// Of those bits, the quiet bit and the number: in a NaN without a number just the first two.
uint64_t assay_payload_mask(const assay_payload_format *format);
uint64_t assay_payload_plain(const assay_payload_format *format);

uint64_t assay_payload_load(const assay_payload_format *format, const void *element);
void assay_payload_store(const assay_payload_format *format, void *element, uint64_t bits);
bool assay_payload_is_nan(const assay_payload_format *format, uint64_t bits);
bool assay_payload_is_inf(const assay_payload_format *format, uint64_t bits);
// A quiet NaN of the same sign with that number.
uint64_t assay_payload_put(const assay_payload_format *format, uint64_t bits, int number);
int assay_payload_get(const assay_payload_format *format, uint64_t bits);

#endif
