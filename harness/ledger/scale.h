// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error scale of a program without an oracle: how far each element of what it shows may be from
// its plain run, measured by rounding at random. Method and constants: compiler/rounding/METHOD.md.
#ifndef ASSAY_HARNESS_LEDGER_SCALE_H
#define ASSAY_HARNESS_LEDGER_SCALE_H

#include "compiler/base/arena.h"
#include "compiler/tail/observation.h"

// |x - m| may be 20 scales at a single element, and 3 in root mean square over a large tensor.
#define ASSAY_SCALE_LAMBDA 20.0
#define ASSAY_SCALE_RMS 3.0
// A tensor with a larger part of unstable elements is not judged.
#define ASSAY_SCALE_UNSTABLE_PART 0.05

// What the program showed in its runs, each observation of all its items.
typedef struct assay_scale_samples {
  const assay_observation *plain; // rounded to nearest
  int count;                      // of samples of each kind, at least 2: 8, or 16 to confirm
  const assay_observation *rounded;
  const assay_observation *amplified;
  // (optional) The plain run with memory at other addresses: what it shows differently is set
  // aside.
  const assay_observation *moved;
  int amplitude;   // of the amplified samples, from assay_rounding_report
  bool incomplete; // an operation could not be instrumented: no float is held to be exact
} assay_scale_samples;

typedef enum assay_scale_kind {
  ASSAY_SCALE_EXACT,    // no sample moved: must be equal (the sign of a zero apart)
  ASSAY_SCALE_SMOOTH,   // |x - m| <= lambda s
  ASSAY_SCALE_WIDE,     // inexact by so little that only amplified samples move, by noise without a
                        // jump: within the samples' hull
  ASSAY_SCALE_UNSTABLE, // rounding decides between branches: within the samples' hull
} assay_scale_kind;

// Of one element, all relative to its plain value b, so that f64 keeps its digits.
typedef struct assay_scale_element {
  assay_scale_kind kind;
  double mean;      // m - b
  double scale;     // s > 0; of a hull what is allowed outside; 0 if exact
  double low, high; // wide, unstable: the hull of b and all samples, widened by half its width;
                    // infinite where a sample is not finite or not of the same sign of infinity
} assay_scale_element;

typedef struct assay_scale_item {
  const assay_observed *plain;
  const assay_scale_element *elements; // plain->count of them; NULL: all are exact
  int64_t unstable;                    // elements
  const char *unjudged; // why it is not judged: "12 of 64 elements are unstable"; NULL where it is
  bool shapeless;       // not judged, because it is not there in each sample in the same shape
} assay_scale_item;

typedef struct assay_scale {
  const assay_observation *plain;
  const assay_scale_item *items; // in its order
  int64_t unstable;
  int unjudged; // items
} assay_scale;

// Everything in the arena; the observations must live as long.
const assay_scale *assay_scale_make(const assay_scale_samples *samples, assay_arena *arena);

// Whether the moved run shows an item of the plain one with other bits.
bool assay_scale_depends_on_addresses(const assay_observation *moved, const assay_observed *plain,
                                      int place);

// The unit in the last place of a number in that element's format; 0 for integers and text.
double assay_scale_unit(assay_element element, double number);
// The smallest scale that an element of that value can have.
double assay_scale_floor(assay_element element, double number);

// The item of an observation that shows the same thing (kind and index), NULL where none does. It
// is looked for at place `hint` first.
const assay_observed *assay_observed_find(const assay_observation *in, const assay_observed *like,
                                          int hint);
// Whether both have the same element type, rank and sizes.
bool assay_observed_alike(const assay_observed *a, const assay_observed *b);

#endif
