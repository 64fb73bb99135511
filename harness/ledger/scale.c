// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/scale.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct {
  int fraction, exponent; // bits of the fraction, exponent of the smallest normal number
  double flushed;         // numbers below may be flushed to 0 by a correct program; f16's are not
} formats[] = {
    [ASSAY_ELEMENT_F16] = {10, -14, 0x1p-24},
    [ASSAY_ELEMENT_BF16] = {7, -126, 0x1p-126},
    [ASSAY_ELEMENT_F32] = {23, -126, 0x1p-126},
    [ASSAY_ELEMENT_F64] = {52, -1022, 0x1p-1022},
};

static bool is_floating(assay_element element) {
  return element != ASSAY_ELEMENT_INTEGER && element != ASSAY_ELEMENT_TEXT;
}

double assay_scale_unit(assay_element element, double number) {
  if (!is_floating(element))
    return 0;
  int exponent;
  frexp(number, &exponent); // number is below 2^exponent; 0 has exponent 0
  exponent = number == 0 || !isfinite(number) ? formats[element].exponent : exponent - 1;
  if (exponent < formats[element].exponent)
    exponent = formats[element].exponent;
  return ldexp(1, exponent - formats[element].fraction);
}

double assay_scale_floor(assay_element element, double number) {
  if (!is_floating(element))
    return 0;
  return fmax(0.3 * assay_scale_unit(element, number),
              formats[element].flushed / ASSAY_SCALE_LAMBDA);
}

const assay_observed *assay_observed_find(const assay_observation *in, const assay_observed *like,
                                          int hint) {
  for (int i = 0; i < in->count; i++) {
    const assay_observed *item = &in->items[(hint + i) % in->count];
    if (item->kind == like->kind && item->index == like->index)
      return item;
  }
  return NULL;
}

bool assay_observed_alike(const assay_observed *a, const assay_observed *b) {
  if (a->element != b->element || a->bytes != b->bytes || a->rank != b->rank)
    return false;
  for (int i = 0; i < a->rank; i++)
    if (a->dim[i] != b->dim[i])
      return false;
  return a->count == b->count;
}

// One item in all runs.
typedef struct subject {
  const assay_scale_samples *samples;
  const assay_observed *plain;
  const assay_observed **runs; // 2 * samples->count: rounded, then amplified
  double gain;                 // deviation of amplified noise over that of stochastic rounding
} subject;

// Noise of a whole number of units in [-A, A), and a rounding at random, which has the variance 1/6
// on the average, against the latter alone.
static double gain_of(int amplitude) {
  double width = 2.0 * amplitude;
  return sqrt((width * width - 1) / 12 + 1.0 / 6) / sqrt(1.0 / 6);
}

typedef struct moments {
  double mean, deviation;
  double low, high;
  bool moved, finite;
} moments;

// Of count runs at element i, relative to the plain value. An infinity or a NaN that the plain run
// has too does not move; any other makes the moments not finite.
static moments measure(const subject *it, const assay_observed *const runs[], int64_t i) {
  double plain = assay_observed_value(it->plain, i), sum = 0, squares = 0;
  int count = it->samples->count;
  size_t bytes = (size_t)it->plain->bytes;
  moments found = {.finite = true};
  for (int k = 0; k < count; k++) {
    double moved = assay_observed_value(runs[k], i);
    if (!isfinite(plain) || !isfinite(moved)) {
      bool same = isnan(plain) ? isnan(moved) : moved == plain;
      found.finite &= same;
      found.moved |= !same;
      continue;
    }
    moved -= plain;
    found.moved |= moved != 0;
    if (!is_floating(it->plain->element)) // 64-bit integers may differ and be equal as doubles
      found.moved |= memcmp((const char *)runs[k]->data + (size_t)i * bytes,
                            (const char *)it->plain->data + (size_t)i * bytes, bytes) != 0;
    sum += moved;
    found.low = fmin(found.low, moved);
    found.high = fmax(found.high, moved);
  }
  found.mean = sum / count;
  for (int k = 0; k < count && found.finite && isfinite(plain); k++) {
    double moved = assay_observed_value(runs[k], i) - plain - found.mean;
    squares += moved * moved;
  }
  found.deviation = sqrt(squares / (count - 1));
  return found;
}

static assay_scale_element unbounded(void) {
  return (assay_scale_element){
      .kind = ASSAY_SCALE_UNSTABLE, .scale = 1, .low = -INFINITY, .high = INFINITY};
}

// Noise spreads; a branch taken by some samples only leaves a gap between them.
static bool is_spread(const subject *it, const assay_observed *const runs[], int64_t i) {
  enum { MOST = 64 };
  const double widest = 0.7; // part of the range; 8 uniform numbers have such a gap once in 200
  double sorted[MOST], gap = 0;
  int count = it->samples->count < MOST ? it->samples->count : MOST;
  for (int k = 0; k < count; k++) {
    double value = assay_observed_value(runs[k], i);
    int at = k;
    for (; at > 0 && sorted[at - 1] > value; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = value;
  }
  for (int k = 1; k < count; k++)
    gap = fmax(gap, sorted[k] - sorted[k - 1]);
  return count > 0 && gap <= widest * (sorted[count - 1] - sorted[0]);
}

static assay_scale_element hull(const moments *rounded, const moments *amplified, double allowed) {
  double low = fmin(rounded->low, amplified->low), high = fmax(rounded->high, amplified->high);
  double half = (high - low) / 2;
  return (assay_scale_element){.kind = ASSAY_SCALE_UNSTABLE,
                               .mean = rounded->mean,
                               .scale = allowed,
                               .low = low - half,
                               .high = high + half};
}

static assay_scale_element examine(const subject *it, int64_t i) {
  int count = it->samples->count;
  double plain = assay_observed_value(it->plain, i);
  bool floating = is_floating(it->plain->element);
  moments rounded = measure(it, it->runs, i), amplified = measure(it, it->runs + count, i);
  bool moved = rounded.moved || amplified.moved;
  if (!rounded.finite || !amplified.finite)
    return unbounded();
  if (!isfinite(plain) || (!moved && !(it->samples->incomplete && floating)))
    return (assay_scale_element){.kind = ASSAY_SCALE_EXACT};
  double ratio = count >= 16 ? 4 : 6, smaller, larger;
  double floor = assay_scale_floor(it->plain->element, plain + rounded.mean);
  double first = rounded.deviation, second = amplified.deviation / it->gain;
  smaller = fmin(first, second);
  larger = fmax(first, second);
  if (!floating)
    return hull(&rounded, &amplified, 0);
  if (larger > ratio * smaller && larger > 2 * floor) {
    assay_scale_element wide = hull(&rounded, &amplified, fmax(smaller, floor));
    if (second > first && is_spread(it, it->runs + count, i))
      wide.kind = ASSAY_SCALE_WIDE;
    return wide;
  }
  return (assay_scale_element){.kind = ASSAY_SCALE_SMOOTH,
                               .mean = rounded.mean,
                               .scale = fmax(fmax(larger, floor), fabs(rounded.mean) / 2)};
}

// Whether every run shows the item in the same form.
static bool collect_runs(subject *it, int place) {
  int count = it->samples->count;
  for (int k = 0; k < 2 * count; k++) {
    const assay_observation *run =
        k < count ? &it->samples->rounded[k] : &it->samples->amplified[k - count];
    it->runs[k] = assay_observed_find(run, it->plain, place);
    if (it->runs[k] == NULL || !assay_observed_alike(it->runs[k], it->plain))
      return false;
  }
  return true;
}

bool assay_scale_depends_on_addresses(const assay_observation *moved, const assay_observed *plain,
                                      int place) {
  const assay_observed *other = moved != NULL ? assay_observed_find(moved, plain, place) : NULL;
  return other != NULL && assay_observed_alike(other, plain) &&
         memcmp(other->data, plain->data, (size_t)plain->count * (size_t)plain->bytes) != 0;
}

static assay_scale_item make_item(subject *it, int place, assay_arena *arena) {
  assay_scale_item item = {.plain = it->plain};
  if (!collect_runs(it, place)) {
    item.shapeless = true;
    item.unjudged = "whether it is there, or its shape, depends on how operations round";
    return item;
  }
  assay_scale_element *elements =
      assay_arena_take(arena, (size_t)it->plain->count, sizeof *elements);
  for (int64_t i = 0; i < it->plain->count; i++) {
    elements[i] = examine(it, i);
    item.unstable += elements[i].kind == ASSAY_SCALE_UNSTABLE;
  }
  item.elements = elements;
  if (assay_scale_depends_on_addresses(it->samples->moved, it->plain, place))
    item.unjudged = "it shows where memory lies";
  else if ((double)item.unstable > ASSAY_SCALE_UNSTABLE_PART * (double)it->plain->count)
    item.unjudged = assay_arena_format(arena, "%" PRId64 " of %" PRId64 " elements are unstable",
                                       item.unstable, it->plain->count);
  return item;
}

const assay_scale *assay_scale_make(const assay_scale_samples *samples, assay_arena *arena) {
  int count = samples->plain->count;
  assay_scale_item *items = assay_arena_take(arena, (size_t)count, sizeof *items);
  assay_scale *scale = assay_arena_take(arena, 1, sizeof *scale);
  subject it = {.samples = samples, .gain = gain_of(samples->amplitude)};
  it.runs = assay_arena_take(arena, 2 * (size_t)samples->count, sizeof(const assay_observed *));
  for (int i = 0; i < count; i++) {
    it.plain = &samples->plain->items[i];
    items[i] = make_item(&it, i, arena);
    scale->unstable += items[i].unstable;
    scale->unjudged += items[i].unjudged != NULL;
  }
  scale->plain = samples->plain;
  scale->items = items;
  return scale;
}
