// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/tally.h"

#include <math.h>
#include <string.h>

// A value that went through bf16 is off by 2^-9 of itself at most, a polynomial of degree 3 in
// place of exp by 2^-6.6 on the average and three times that at its worst.
static const double SMALL = 0x1p-6, SMALL_AT_MOST = 0x1p-3, ROUNDED = 0x1p-7;

static bool is_floating(assay_element element) {
  return element != ASSAY_ELEMENT_INTEGER && element != ASSAY_ELEMENT_TEXT;
}

static bool has_equal_bytes(const assay_observed *a, const assay_observed *b, int64_t i) {
  size_t bytes = (size_t)a->bytes, at = (size_t)i * bytes;
  return memcmp((const char *)a->data + at, (const char *)b->data + at, bytes) == 0;
}

// |x - m| / s of an element; infinite where it must be equal and is not.
static double ratio_of(const assay_scale_element *element, const assay_observed *plain,
                       const assay_observed *got, int64_t i) {
  double want = assay_observed_value(plain, i), value = assay_observed_value(got, i);
  if (element->kind == ASSAY_SCALE_UNSTABLE && isinf(element->low))
    return 0; // anything may come
  if (!isfinite(want) || !isfinite(value))
    return value == want || (isnan(want) && isnan(value)) ? 0 : INFINITY;
  double moved = value - want, excess = fabs(moved - element->mean);
  switch (element->kind) {
  case ASSAY_SCALE_EXACT:
    if (is_floating(plain->element))
      return value == want ? 0 : INFINITY;
    return has_equal_bytes(plain, got, i) ? 0 : INFINITY;
  case ASSAY_SCALE_WIDE:
  case ASSAY_SCALE_UNSTABLE:
    excess = fmax(0, fmax(element->low - moved, moved - element->high));
    break;
  case ASSAY_SCALE_SMOOTH:
    break;
  }
  return excess == 0 ? 0 : excess / element->scale; // a scale of 0 gives infinity
}

static double root_mean_square(const assay_observed *item) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < item->count; i++) {
    double value = assay_observed_value(item, i);
    if (isfinite(value)) {
      sum += value * value;
      count++;
    }
  }
  return count > 0 ? sqrt(sum / (double)count) : 0;
}

const assay_scale_element *assay_tally_element(const assay_scale_item *item, int64_t i) {
  static const assay_scale_element exact = {.kind = ASSAY_SCALE_EXACT};
  return item->elements != NULL ? &item->elements[i] : &exact;
}

static void count_failure(assay_tally *into, const assay_scale_element *element, double want,
                          double got, double typical) {
  double error = fabs(got - want), part = error / fmax(typical, fabs(want));
  bool exact = element->kind == ASSAY_SCALE_EXACT;
  into->failed++;
  into->exact += exact;
  if (!isfinite(part)) {
    into->vague++;
    return;
  }
  into->far += error > SMALL_AT_MOST * fabs(want);
  into->part = fmax(into->part, part);
  if (exact) {
    into->exact_part = fmax(into->exact_part, part);
    into->exact_own = fmax(into->exact_own, error / fabs(want)); // infinite at 0
  }
  into->parts += part * part;
}

assay_tally assay_tally_make(const assay_scale_item *item, const assay_observed *got) {
  assay_tally found = {.index = -1};
  double typical = -1;
  for (int64_t i = 0; i < got->count; i++) {
    const assay_scale_element *element = assay_tally_element(item, i);
    double ratio = ratio_of(element, item->plain, got, i);
    if (element->kind == ASSAY_SCALE_SMOOTH) {
      found.squares += fmin(ratio, 1e15) * fmin(ratio, 1e15);
      found.smooth++;
    }
    if (ratio > found.largest) {
      found.largest = ratio;
      found.index = i;
    }
    if (ratio <= ASSAY_SCALE_LAMBDA)
      continue;
    if (typical < 0)
      typical = root_mean_square(item->plain);
    count_failure(&found, element, assay_observed_value(item->plain, i),
                  assay_observed_value(got, i), typical);
  }
  if (!is_floating(got->element))
    found.vague = found.failed;
  return found;
}

// One value that outweighs the others makes of any error at these a small part of the whole: most
// must be small against their own value too.
bool assay_tally_is_small(const assay_tally *tally) {
  return tally->vague == 0 && tally->part <= SMALL_AT_MOST &&
         tally->parts <= SMALL * SMALL * (double)tally->failed && 2 * tally->far <= tally->failed;
}

bool assay_tally_is_inexact(const assay_tally *tally) {
  if (tally->vague > 0)
    return false;
  return tally->exact == 0 || (tally->exact < tally->failed && tally->exact_part <= SMALL);
}

bool assay_tally_is_rounded(const assay_tally *tally) {
  return tally->vague == 0 && tally->exact_own <= ROUNDED;
}
