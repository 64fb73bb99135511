// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a state shows against values that a user expects.
#include "harness/ledger/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// Numbers were read from prints of 6 significant digits: half a unit of the sixth, and as much for
// a writer who cut them off.
static double printed_tolerance(double want) {
  if (want == 0)
    return 0;
  return pow(10, floor(log10(fabs(want))) - 5);
}

// The scale of an element of got: measured, or what one rounding gives.
static double scale_at(const assay_scale *scale, const assay_observed *got, int place, int64_t i,
                       double want) {
  double least = assay_scale_floor(got->element, want);
  if (scale == NULL)
    return least;
  const assay_observed *plain = assay_observed_find(scale->plain, got, place);
  if (plain == NULL || !assay_observed_alike(plain, got))
    return least;
  const assay_scale_item *item = &scale->items[plain - scale->plain->items];
  if (item->elements == NULL || item->elements[i].kind == ASSAY_SCALE_EXACT)
    return least;
  const assay_scale_element *element = &item->elements[i];
  if (element->kind == ASSAY_SCALE_UNSTABLE || element->kind == ASSAY_SCALE_WIDE)
    return fmax(element->scale, (element->high - element->low) / ASSAY_SCALE_LAMBDA);
  return fmax(element->scale, least);
}

// One element against a number; slack is allowed whatever the scale.
static void judge(const assay_observed *got, int64_t i, double want, double scale, double slack,
                  assay_comparison *into) {
  double value = assay_observed_value(got, i), ratio;
  if (!isfinite(value) || !isfinite(want))
    ratio = value == want || (isnan(value) && isnan(want)) ? 0 : INFINITY;
  else
    ratio = fmax(0, fabs(value - want) - slack) == 0 ? 0 : (fabs(value - want) - slack) / scale;
  into->changed |= value != want && !(isnan(value) && isnan(want));
  into->margin = fmax(into->margin, ratio / ASSAY_SCALE_LAMBDA);
  if (ratio > into->worst.ratio) {
    into->worst = (assay_compared_element){
        .index = i, .got = value, .want = want, .scale = scale, .ratio = ratio};
    assay_observed_name(got, into->worst.item);
  }
  if (ratio <= ASSAY_SCALE_LAMBDA)
    return;
  into->failed++;
  into->imprecise &= fabs(value - want) <= 0x1p-6 * fabs(want);
  if (!into->passed)
    return;
  into->passed = false;
  char name[32];
  assay_observed_name(got, name);
  snprintf(into->reason, sizeof into->reason, "%s, element %" PRId64 ": got %.9g, want %.9g", name,
           i, value, want);
}

static void finish(assay_comparison *found, int64_t got, int64_t want, const char *what) {
  if (got != want) {
    found->changed = true;
    found->imprecise = false;
    found->margin = INFINITY;
    if (found->passed)
      snprintf(found->reason, sizeof found->reason, "%" PRId64 " %s, want %" PRId64, got, what,
               want);
    found->passed = false;
  }
  found->imprecise &= !found->passed;
}

static bool prints_numbers(const assay_observation *got) {
  for (int i = 0; i < got->count; i++)
    if (got->items[i].kind == ASSAY_OBSERVED_PRINTED && got->items[i].element != ASSAY_ELEMENT_TEXT)
      return true;
  return false;
}

void assay_compare_numbers(const assay_scale *scale, const assay_observation *got, int64_t count,
                           const double want[], assay_comparison *out_comparison) {
  assay_comparison found = {.passed = true, .imprecise = true};
  assay_observed_kind kind = prints_numbers(got) ? ASSAY_OBSERVED_PRINTED : ASSAY_OBSERVED_RESULT;
  int64_t seen = 0;
  for (int i = 0; i < got->count; i++) {
    const assay_observed *item = &got->items[i];
    if (item->kind != kind || item->element == ASSAY_ELEMENT_TEXT)
      continue;
    for (int64_t k = 0; k < item->count; k++, seen++)
      if (seen < count)
        judge(item, k, want[seen], scale_at(scale, item, i, k, want[seen]),
              item->element == ASSAY_ELEMENT_INTEGER ? 0 : printed_tolerance(want[seen]), &found);
  }
  finish(&found, seen, count, "numbers");
  *out_comparison = found;
}

// Whether the item has the tensor's shape.
static bool has_shape(const assay_observed *item, const assay_expected_tensor *tensor) {
  if (item->rank != tensor->rank)
    return false;
  for (int i = 0; i < item->rank; i++)
    if (item->dim[i] != tensor->dim[i])
      return false;
  return true;
}

void assay_compare_tensors(const assay_scale *scale, const assay_observation *got, int count,
                           const assay_expected_tensor want[], assay_comparison *out_comparison) {
  assay_comparison found = {.passed = true, .imprecise = true};
  int seen = 0;
  for (int i = 0; i < got->count; i++) {
    const assay_observed *item = &got->items[i];
    if (item->kind != ASSAY_OBSERVED_RESULT)
      continue;
    const assay_expected_tensor *tensor = &want[seen++];
    if (seen > count)
      continue;
    if (!has_shape(item, tensor)) {
      char shape[160];
      assay_observed_describe(item, sizeof shape, shape);
      if (found.passed)
        snprintf(found.reason, sizeof found.reason,
                 "result %d is %s; the tensor that is expected has another shape", item->index,
                 shape);
      found.passed = found.imprecise = false;
      found.margin = INFINITY;
      continue;
    }
    for (int64_t k = 0; k < item->count; k++) {
      // The tensor's numbers need not be numbers of the element type.
      double value = tensor->values[k], half = assay_scale_unit(item->element, value) / 2;
      judge(item, k, value, scale_at(scale, item, i, k, value), half, &found);
    }
  }
  finish(&found, seen, count, "results");
  *out_comparison = found;
}
