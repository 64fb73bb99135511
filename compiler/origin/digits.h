// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a float is from what it should be, in bits; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_DIGITS_H
#define ASSAY_COMPILER_ORIGIN_DIGITS_H

#include "compiler/origin/shadow.h"

// Bits of the fraction of a format, the leading one among them; 64 of anything else.
int assay_digits_of(assay_origin_format of);
// The shadow of a value that is taken for exact.
assay_shadow assay_shadow_start(assay_origin_format format, double value);
// Bits of a value that are wrong, of as many as it has; a result that was rounded right has lost
// none.
double assay_digits_lost(assay_origin_format of, int bits, double value, long double exact);
// Whether that is at most ASSAY_LOSS_ACCURATE, as far as it can be told at little cost.
bool assay_digits_are_kept(int bits, double value, long double exact);

#endif
