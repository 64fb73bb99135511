// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/sought.h"

#include "harness/ledger/scale.h"

#include <math.h>

static bool holds(assay_origin_kind kind, const assay_observed *item, int64_t index) {
  if (item->element == ASSAY_ELEMENT_INTEGER || item->element == ASSAY_ELEMENT_TEXT)
    return false;
  double value = assay_observed_value(item, index);
  return isnan(value) || (kind == ASSAY_ORIGIN_INF && isinf(value));
}

static bool is_only(const assay_origin_place *only, const assay_observed *item, int64_t index) {
  int64_t at = 0;
  if (item->kind != ASSAY_OBSERVED_RESULT || item->index != 0 || item->rank != only->rank)
    return false;
  for (int i = 0; i < only->rank; i++)
    at = at * item->dim[i] + only->index[i];
  return at == index;
}

bool assay_sought_is(const assay_sought *of, const assay_observed *item, int hint, int64_t index) {
  if (!holds(of->kind, item, index) || (of->only != NULL && !is_only(of->only, item, index)))
    return false;
  const assay_observed *right =
      of->right != NULL ? assay_observed_find(of->right, item, hint) : NULL;
  return right == NULL || !assay_observed_alike(right, item) || !holds(of->kind, right, index);
}

assay_sought_element assay_sought_find(const assay_sought *of, const assay_observation *seen) {
  assay_sought_element found = {NULL, 0};
  for (int i = 0; i < seen->count; i++)
    for (int64_t k = 0; k < seen->items[i].count; k++) {
      if (!assay_sought_is(of, &seen->items[i], i, k))
        continue;
      bool is_made =
          of->kind == ASSAY_ORIGIN_NAN || isinf(assay_observed_value(&seen->items[i], k));
      if (found.item == NULL || is_made)
        found = (assay_sought_element){&seen->items[i], k};
      if (is_made)
        return found;
    }
  return found;
}
