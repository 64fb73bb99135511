// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of what a run showed are asked about.
#ifndef ASSAY_HARNESS_LEDGER_SOUGHT_H
#define ASSAY_HARNESS_LEDGER_SOUGHT_H

#include "harness/ledger/ledger.h"

typedef struct assay_sought {
  assay_origin_kind kind; // NAN, INF
  // (optional) what the same run of the input showed: a NaN that is there too is no fault of the
  // pass that is asked about.
  const assay_observation *right;
  const assay_origin_place *only; // (optional) the one element of the first result
} assay_sought;

// Infinities are asked for by the NaN, too, that they became. hint: the item's place among others.
bool assay_sought_is(const assay_sought *of, const assay_observed *item, int hint, int64_t index);

typedef struct assay_sought_element {
  const assay_observed *item; // NULL: none
  int64_t index;
} assay_sought_element;
// The first one; of infinities one that did not become a NaN, where there is any.
assay_sought_element assay_sought_find(const assay_sought *of, const assay_observation *seen);

#endif
