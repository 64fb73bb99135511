// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/replaced.h"

#include "harness/ledger/scale.h"

#include <math.h>

// Whether something holds of each element of a float that both runs show, and both show the same.
typedef bool is_so(double before, const assay_observed *item, int64_t k);

static bool all(const assay_observation *plain, const assay_tail_answer *watched, is_so *holds) {
  const assay_observation *seen = &watched->outcomes[0].seen;
  if (plain->count != seen->count)
    return false;
  for (int i = 0; i < seen->count; i++) {
    const assay_observed *item = &seen->items[i];
    const assay_observed *before = assay_observed_find(plain, item, i);
    if (before == NULL || !assay_observed_alike(before, item))
      return false;
    bool is_float = item->element != ASSAY_ELEMENT_INTEGER && item->element != ASSAY_ELEMENT_TEXT;
    for (int64_t k = 0; is_float && k < item->count; k++)
      if (!holds(assay_observed_value(before, k), item, k))
        return false;
  }
  return true;
}

static bool is_alike(double before, const assay_observed *item, int64_t k) {
  return isinf(before) || isnan(before) == isnan(assay_observed_value(item, k));
}

static bool is_unrelated(double before, const assay_observed *item, int64_t k) {
  const char *element = (const char *)item->data + k * item->bytes;
  return isfinite(before) ||
         assay_origin_is_unrelated(assay_element_format(item->element), element);
}

bool assay_replaced_unseen(const assay_observation *plain, const assay_tail_answer *watched) {
  return watched->origin_logs[0].count <= 1 && all(plain, watched, is_alike);
}

bool assay_replaced_none(const assay_observation *plain, const assay_tail_answer *watched) {
  return all(plain, watched, is_unrelated);
}
