// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a float is from what it should be, in bits; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_DIGITS_H
#define ASSAY_COMPILER_ORIGIN_DIGITS_H

#include "compiler/origin/shadow.h"

// Bits of the fraction of a format, the leading one among them; 64 of anything else.
// What is lost by rounding a few times is looked at no further.
#define ASSAY_DIGITS_ROUNDED 2.0

int assay_digits_of(assay_origin_format of);
// The shadow of a value that is taken for exact.
assay_shadow assay_shadow_start(assay_origin_format format, double value);
// Bits of a value that are wrong, of as many as it has; a result that was rounded right has lost
// none.
double assay_digits_lost(assay_origin_format of, int bits, double value, long double exact);
// The same, for all that the exact value may be.
typedef struct assay_digits {
  double least, most;
} assay_digits;
assay_digits assay_digits_look(assay_origin_format of, double value, const assay_shadow *shadow);
// Whether that is at most ASSAY_DIGITS_ROUNDED, as far as it can be told at little cost.
bool assay_digits_are_kept(int bits, double value, long double exact);

#endif
