// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: observations of one item, and the samples of a program made up of numbers.
#ifndef ASSAY_HARNESS_LEDGER_SCALE_TESTING_H
#define ASSAY_HARNESS_LEDGER_SCALE_TESTING_H

#include "harness/ledger/compare.h"

#include <math.h>
#include <string.h>

enum { MADE_SAMPLES = 8, MADE_ELEMENTS = 4096 };

// Memory is given back when the test program ends.
static inline assay_observation *made_observation(assay_arena *arena, assay_element element,
                                                  int64_t count) {
  static const int bytes[] = {[ASSAY_ELEMENT_INTEGER] = 8, [ASSAY_ELEMENT_F16] = 2,
                              [ASSAY_ELEMENT_BF16] = 2,    [ASSAY_ELEMENT_F32] = 4,
                              [ASSAY_ELEMENT_F64] = 8,     [ASSAY_ELEMENT_TEXT] = 1};
  assay_observation *made = assay_arena_take(arena, 1, sizeof *made);
  assay_observed *item = assay_arena_take(arena, 1, sizeof *item);
  *item = (assay_observed){.kind = ASSAY_OBSERVED_RESULT,
                           .element = element,
                           .bytes = bytes[element],
                           .rank = 1,
                           .dim = {count},
                           .count = count,
                           .data = assay_arena_take(arena, (size_t)count, 8)};
  *made = (assay_observation){.count = 1, .items = item};
  return made;
}

static inline float *made_floats(const assay_observation *made) {
  return made->items[0].data;
}

static inline double *made_doubles(const assay_observation *made) {
  return made->items[0].data;
}

static inline int64_t *made_wholes(const assay_observation *made) {
  return made->items[0].data;
}

// Uniform in [0, 1), the same in each run of the test (SplitMix64).
static inline double made_uniform(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// Normal deviates, nearly: of 12 uniform numbers.
static inline double made_noise(uint64_t *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++)
    sum += made_uniform(state);
  return sum;
}

// Samples of a program whose elements are f32 numbers with errors of that many units (and
// amplified ones as large as they must be).
static inline assay_scale_samples made_samples(assay_arena *arena, int64_t count, double units) {
  assay_observation *plain = made_observation(arena, ASSAY_ELEMENT_F32, count);
  assay_observation *rounded = assay_arena_take(arena, MADE_SAMPLES, sizeof *rounded);
  assay_observation *amplified = assay_arena_take(arena, MADE_SAMPLES, sizeof *amplified);
  uint64_t state = 1;
  for (int64_t i = 0; i < count; i++)
    made_floats(plain)[i] = (float)(1 + made_uniform(&state) / 2);
  for (int k = 0; k < 2 * MADE_SAMPLES; k++) {
    assay_observation *run = made_observation(arena, ASSAY_ELEMENT_F32, count);
    double size = k < MADE_SAMPLES ? units : 22.6 * units;
    for (int64_t i = 0; i < count; i++)
      made_floats(run)[i] =
          made_floats(plain)[i] + (float)(rint(size * made_noise(&state)) * 0x1p-23);
    *(k < MADE_SAMPLES ? &rounded[k] : &amplified[k - MADE_SAMPLES]) = *run;
  }
  return (assay_scale_samples){.plain = plain,
                               .count = MADE_SAMPLES,
                               .rounded = rounded,
                               .amplified = amplified,
                               .amplitude = 16};
}

#endif
