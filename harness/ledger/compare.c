// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/compare.h"

#include "harness/ledger/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void assay_observed_describe(const assay_observed *observed, size_t size, char out_text[]) {
  static const char *const names[] = {
      [ASSAY_ELEMENT_F16] = "f16", [ASSAY_ELEMENT_BF16] = "bf16", [ASSAY_ELEMENT_F32] = "f32",
      [ASSAY_ELEMENT_F64] = "f64", [ASSAY_ELEMENT_TEXT] = "text",
  };
  size_t length = 0;
  out_text[0] = '\0';
  for (int i = 0; i < observed->rank && length < size; i++)
    length += (size_t)snprintf(out_text + length, size - length, "%" PRId64 "x", observed->dim[i]);
  if (length >= size)
    return;
  if (observed->element == ASSAY_ELEMENT_INTEGER)
    snprintf(out_text + length, size - length, "i%d", 8 * observed->bytes);
  else
    snprintf(out_text + length, size - length, "%s", names[observed->element]);
}

// An element in the worst place, if it is worse.
static void note_worst(assay_comparison *into, const assay_observed *got, int64_t index,
                       double value, double want, double scale, double ratio) {
  if (!(ratio > into->worst.ratio))
    return;
  into->worst = (assay_compared_element){
      .index = index, .got = value, .want = want, .scale = scale, .ratio = ratio};
  assay_observed_name(got, into->worst.item);
}

static void fail_with(assay_comparison *into, const char *text) {
  into->margin = INFINITY;
  into->imprecise = into->inexact = into->rounded = false;
  if (into->passed)
    snprintf(into->reason, sizeof into->reason, "%s", text);
  into->passed = false;
}

void assay_observed_index(const assay_observed *observed, int64_t index, size_t size,
                          char out_text[]) {
  int64_t place[ASSAY_OBSERVED_MAX_RANK];
  for (int i = observed->rank - 1; i >= 0; i--) {
    place[i] = index % observed->dim[i];
    index /= observed->dim[i];
  }
  size_t length = 0;
  out_text[0] = '\0';
  for (int i = 0; i < observed->rank && length < size; i++)
    length += (size_t)snprintf(out_text + length, size - length, "%s%" PRId64, i == 0 ? "[" : ", ",
                               place[i]);
  if (observed->rank > 0 && length < size)
    snprintf(out_text + length, size - length, "]");
}

// Over few elements the root mean square is no better known than a single ratio: the limit comes
// down to 3 as they become many.
static double rms_limit(int64_t count) {
  return ASSAY_SCALE_RMS * (1 + 16 / (double)count);
}

// printf writes the sign of a NaN, which says nothing.
static double without_nan_sign(double value) {
  return isnan(value) ? fabs(value) : value;
}

static void explain(assay_comparison *into, const assay_scale_item *item, const assay_observed *got,
                    const assay_tally *found, double rms) {
  char name[32], index[160] = "", where[200] = "";
  assay_observed_name(got, name);
  if (found->index >= 0)
    assay_observed_index(got, found->index, sizeof index, index);
  snprintf(where, sizeof where, "%s%s", name, index);
  if (!into->passed)
    return;
  if (found->failed == 0)
    snprintf(into->reason, sizeof into->reason,
             "%s: errors of %.3g scales in root mean square, at most %.3g are allowed", name, rms,
             rms_limit(found->smooth));
  else
    snprintf(into->reason, sizeof into->reason,
             "%s: got %.17g, want %.17g, scale %.3g; %" PRId64 " of %" PRId64 " elements are wrong",
             where, without_nan_sign(assay_observed_value(got, found->index)),
             without_nan_sign(assay_observed_value(item->plain, found->index)),
             assay_tally_element(item, found->index)->scale, found->failed, got->count);
}

static uint32_t bit_of(int place) {
  return UINT32_C(1) << (place < 31 ? place : 31);
}

static void compare_item(const assay_scale_item *item, const assay_observed *got, int place,
                         assay_comparison *into) {
  if (item->unjudged != NULL) {
    into->unjudged++;
    return;
  }
  assay_tally found = assay_tally_make(item, got);
  double rms = found.smooth > 0 ? sqrt(found.squares / (double)found.smooth) : 0;
  double margin = found.largest / ASSAY_SCALE_LAMBDA;
  if (found.smooth > 0)
    margin = fmax(margin, rms / rms_limit(found.smooth));
  into->failed += found.failed;
  into->rms = fmax(into->rms, rms);
  into->margin = fmax(into->margin, margin);
  if (found.index >= 0) {
    const assay_scale_element *element = assay_tally_element(item, found.index);
    note_worst(into, got, found.index, assay_observed_value(got, found.index),
               assay_observed_value(item->plain, found.index), element->scale, found.largest);
  }
  if (!(margin <= 1)) {
    explain(into, item, got, &found, rms);
    into->passed = false;
    into->wrong |= bit_of(place);
    into->imprecise &= assay_tally_is_small(&found);
    into->inexact &= assay_tally_is_inexact(&found);
    into->rounded &= assay_tally_is_rounded(&found);
  }
}

static bool differs_in_text(const assay_observed *a, const assay_observed *b) {
  return a->element == ASSAY_ELEMENT_TEXT && b->element == ASSAY_ELEMENT_TEXT &&
         (a->count != b->count || memcmp(a->data, b->data, (size_t)a->count) != 0);
}

// Whether the item is there in got in the form that is wanted; says it where not.
static const assay_observed *match(const assay_observed *want, const assay_observation *got,
                                   int place, bool judged, assay_comparison *into) {
  char name[32], text[256], has[96], wants[96];
  assay_observed_name(want, name);
  const assay_observed *item = assay_observed_find(got, want, place);
  if (item != NULL && assay_observed_alike(item, want) && !differs_in_text(item, want)) {
    into->changed |= memcmp(item->data, want->data, (size_t)want->count * (size_t)want->bytes) != 0;
    return item;
  }
  into->changed = true;
  if (item == NULL) {
    snprintf(text, sizeof text, "%s is missing", name);
  } else if (differs_in_text(item, want)) {
    snprintf(text, sizeof text, "%s: got \"%.*s\", want \"%.*s\"", name,
             (int)(item->count < 80 ? item->count : 80), (const char *)item->data,
             (int)(want->count < 80 ? want->count : 80), (const char *)want->data);
  } else {
    assay_observed_describe(item, sizeof has, has);
    assay_observed_describe(want, sizeof wants, wants);
    snprintf(text, sizeof text, "%s is %s, want %s", name, has, wants);
  }
  if (judged)
    fail_with(into, text);
  return NULL;
}

// Items that nobody asked for.
static void find_extra(const assay_observation *want, const assay_observation *got,
                       assay_comparison *into) {
  for (int i = 0; i < got->count; i++) {
    if (assay_observed_find(want, &got->items[i], i) != NULL)
      continue;
    char name[32], text[64];
    assay_observed_name(&got->items[i], name);
    snprintf(text, sizeof text, "%s is one too many", name);
    into->changed = true;
    fail_with(into, text);
  }
}

void assay_compare(const assay_scale *scale, const assay_observation *got,
                   assay_comparison *out_comparison) {
  assay_comparison found = {.passed = true, .imprecise = true, .inexact = true, .rounded = true};
  bool fixed = true; // in what it shows, however operations round
  for (int i = 0; i < scale->plain->count; i++) {
    const assay_scale_item *item = &scale->items[i];
    const assay_observed *mate = match(item->plain, got, i, !item->shapeless, &found);
    fixed &= !item->shapeless;
    if (mate != NULL)
      compare_item(item, mate, i, &found);
    else if (item->shapeless)
      found.unjudged++;
    else
      found.wrong |= bit_of(i);
  }
  if (fixed)
    find_extra(scale->plain, got, &found);
  found.imprecise &= !found.passed;
  found.inexact &= !found.passed;
  found.rounded &= !found.passed;
  *out_comparison = found;
}

void assay_compare_exactly(const assay_observation *want, const assay_observation *got,
                           assay_comparison *out_comparison) {
  assay_comparison found = {.passed = true, .imprecise = true, .inexact = true, .rounded = true};
  for (int i = 0; i < want->count; i++) {
    const assay_scale_item item = {.plain = &want->items[i]};
    const assay_observed *mate = match(item.plain, got, i, true, &found);
    if (mate != NULL)
      compare_item(&item, mate, i, &found);
  }
  find_extra(want, got, &found);
  found.imprecise &= !found.passed;
  found.inexact &= !found.passed;
  found.rounded &= !found.passed;
  *out_comparison = found;
}

// What is left of two runs without the items that show where memory lies.
static void leave_out_addresses(const assay_observation *moved, assay_observation *plain,
                                assay_observation *other, assay_arena *arena) {
  size_t count = (size_t)plain->count + 1;
  assay_observed *kept = assay_arena_take(arena, count, sizeof *kept);
  assay_observed *of_other = assay_arena_take(arena, count, sizeof *of_other);
  int left = 0;
  for (int i = 0; i < plain->count; i++)
    if (!assay_scale_depends_on_addresses(moved, &plain->items[i], i)) {
      kept[left] = plain->items[i];
      of_other[left++] = other->items[i];
    }
  *plain = (assay_observation){.count = left, .items = kept};
  *other = (assay_observation){.count = left, .items = of_other};
}

void assay_compare_memory(const assay_observation *plain, const assay_observation *other,
                          const assay_observation *moved, assay_arena *arena,
                          assay_comparison *out_comparison) {
  assay_observation a = *plain, b = *other;
  if (moved != NULL && moved->count == a.count && a.count == b.count)
    leave_out_addresses(moved, &a, &b, arena);
  assay_compare_exactly(&a, &b, out_comparison);
}
