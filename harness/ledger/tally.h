// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What became of the elements of one item, and of what kind its failures are.
#ifndef ASSAY_HARNESS_LEDGER_TALLY_H
#define ASSAY_HARNESS_LEDGER_TALLY_H

#include "harness/ledger/scale.h"

typedef struct assay_tally {
  double largest; // ratio |x - m| / s; infinite where bits must agree and do not
  int64_t index;  // of that; -1 where nothing differs
  int64_t failed, smooth;
  double squares; // of smooth ratios
  // Of the failures:
  int64_t exact; // those that no sample moved
  int64_t far;   // those more than an eighth of the wanted value away
  int64_t vague; // those with no finite difference, or of no floating-point type
  // The largest |got - want| as a part of the wanted value, or of the item's root mean square where
  // that is more; that of the exact ones; and the sum of the squares of all.
  double part, exact_part, parts;
  double exact_own; // the largest error of the exact ones as a part of the wanted value itself
} assay_tally;

// got has the shape and type of the item.
assay_tally assay_tally_make(const assay_scale_item *item, const assay_observed *got);

// Whether the failures are of precision and not of meaning: below 2^-6 of the item's values in root
// mean square over them, none above 2^-3, and most within 2^-3 of their own value.
bool assay_tally_is_small(const assay_tally *tally);
// Whether the failures are where rounding shows. An element that no sample moves may stand among
// others that do move (exp(0) in a tensor of exponentials): it counts with them where they fail too
// and it does by less than 2^-6.
bool assay_tally_is_inexact(const assay_tally *tally);

// Whether the failures may be values rounded to a narrower type: those where nothing rounds are
// each within 2^-7 of themselves, as when they went through bf16.
bool assay_tally_is_rounded(const assay_tally *tally);

const assay_scale_element *assay_tally_element(const assay_scale_item *item, int64_t i);

#endif
