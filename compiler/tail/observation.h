// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program shows when it runs: its results, the memory that it was given to write, and what
// it prints, in that order within the run's own order, each as bits.
#ifndef ASSAY_COMPILER_TAIL_OBSERVATION_H
#define ASSAY_COMPILER_TAIL_OBSERVATION_H

#include "compiler/base/shared.h"
#include "compiler/bridge/small_floats.h"
#include "compiler/origin/origin.h"

#include <stdbool.h>
#include <stdint.h>

enum { ASSAY_OBSERVED_MAX_RANK = 16 };

typedef enum assay_element {
  ASSAY_ELEMENT_INTEGER, // signless, of `bytes` bytes; i1 is one byte, 0 or 1; index is 8
  ASSAY_ELEMENT_F16,
  ASSAY_ELEMENT_BF16,
  ASSAY_ELEMENT_F32,
  ASSAY_ELEMENT_F64,
  ASSAY_ELEMENT_F8, // this and the next ones: floats of a byte, in order of assay_small_float
  ASSAY_ELEMENT_F8_LAST = ASSAY_ELEMENT_F8 + ASSAY_SMALL_FLOAT_COUNT - 1,
  ASSAY_ELEMENT_TEXT, // a printed string: one byte a character
} assay_element;

typedef enum assay_observed_kind {
  ASSAY_OBSERVED_RESULT,   // result `index` of the entry
  ASSAY_OBSERVED_ARGUMENT, // memory of argument `index`, as it stands after the run
  ASSAY_OBSERVED_PRINTED,  // the index-th thing printed (vector.print, printMemref*)
} assay_observed_kind;

// One tensor, row-major and contiguous; a scalar has rank 0. Complex numbers have one more
// dimension of 2 at the end.
typedef struct assay_observed {
  assay_observed_kind kind;
  int index;
  assay_element element;
  int bytes; // of one element
  int rank;
  int64_t dim[ASSAY_OBSERVED_MAX_RANK];
  int64_t count; // of elements
  void *data;    // shared memory
} assay_observed;

typedef struct assay_observation {
  int count;
  const assay_observed *items;
} assay_observation;

// "result 0", "argument 2", "print 3".
void assay_observed_name(const assay_observed *observed, char out_name[32]);
// OTHER for what is not watched.
assay_origin_format assay_element_format(assay_element element);
// Element i of a floating or integer item as a double (integers rounded).
double assay_observed_value(const assay_observed *observed, int64_t i);

#endif
