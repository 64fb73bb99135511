// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a state of a pipeline shows against what the program shows.
#ifndef ASSAY_HARNESS_LEDGER_COMPARE_H
#define ASSAY_HARNESS_LEDGER_COMPARE_H

#include "harness/ledger/scale.h"

// The least agreeable element.
typedef struct assay_compared_element {
  char item[32]; // "result 0"; "" where no element disagrees at all
  int64_t index; // row-major
  double got, want, scale;
  double ratio; // |got - want| / scale; infinite where bits must agree, or one is NaN or infinite
} assay_compared_element;

typedef struct assay_comparison {
  bool passed;    // margin <= 1 everywhere, and the same items in the same shapes
  double margin;  // the largest: |x - m| / (lambda s), and RMS of |x - m| / s over its limit;
                  // infinite for what is missing or must be equal and is not
  double rms;     // the largest root mean square of |x - m| / s over the smooth elements of an item
  bool changed;   // a bit differs, a NaN's among them
  bool imprecise; // failed, but everywhere by little: assay_tally_is_small
  bool inexact;   // failed, but only where rounding shows: assay_tally_is_inexact
  bool rounded;   // failed, but as values of a narrower type do: assay_tally_is_rounded
  int64_t failed; // elements
  int unjudged;   // items, unstable ones: they fail only by their shape
  uint32_t wrong; // bits: the items that failed, in their order; the last one for all from there on
  assay_compared_element worst;
  char reason[512]; // why it failed, one sentence; "" where it passed
} assay_comparison;

// got against the plain run that the scale was made of.
void assay_compare(const assay_scale *scale, const assay_observation *got,
                   assay_comparison *out_comparison);

// Without samples: equal bits, but for NaN payloads and the sign of a zero. For data that are exact
// by construction, and for runs of one program that must repeat.
void assay_compare_exactly(const assay_observation *want, const assay_observation *got,
                           assay_comparison *out_comparison);

// The same of two runs of one program whose fresh memory held other bytes. moved: a run with memory
// at other addresses, or NULL; what it shows differently is set aside, since it differs between any
// two runs.
void assay_compare_memory(const assay_observation *plain, const assay_observation *other,
                          const assay_observation *moved, assay_arena *arena,
                          assay_comparison *out_comparison);

// The numbers that were printed (where none was: those of all results), in their order, against
// those that a user expects, who read them from a print of 6 significant digits. The scale allows
// for rounding where it is there (may be NULL).
void assay_compare_numbers(const assay_scale *scale, const assay_observation *got, int64_t count,
                           const double want[], assay_comparison *out_comparison);

// A tensor that a user expects.
typedef struct assay_expected_tensor {
  int rank;
  int64_t dim[ASSAY_OBSERVED_MAX_RANK];
  const double *values; // row-major
} assay_expected_tensor;

// The results of got, in order, against tensors: within the scale (NULL: half a unit in the last
// place and what the floor allows).
void assay_compare_tensors(const assay_scale *scale, const assay_observation *got, int count,
                           const assay_expected_tensor want[], assay_comparison *out_comparison);

// "3x5xf32", "f64", "2xi8", "text".
void assay_observed_describe(const assay_observed *observed, size_t size, char out_text[]);

// Element number `index` (row-major) by its place: "[2, 5]", "" of a scalar.
void assay_observed_index(const assay_observed *observed, int64_t index, size_t size,
                          char out_text[]);

#endif
