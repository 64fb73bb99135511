// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of an entry: how large they are, how they lie in memory, and what they hold.
//
// A value depends on the data set, the seed, the argument's number and the element's alone, so that
// all states and both tails see the same.
#ifndef ASSAY_COMPILER_TAIL_ARGUMENT_H
#define ASSAY_COMPILER_TAIL_ARGUMENT_H

#include "compiler/tail/tail.h"
#include "compiler/tail/value.h"

typedef struct assay_argument {
  assay_value_type type; // as the user wrote it
  // Where element i stands, in elements from the start of the memory. Rows of memrefs whose strides
  // are not fixed lie apart, and so do their elements.
  int64_t dim[ASSAY_OBSERVED_MAX_RANK], stride[ASSAY_OBSERVED_MAX_RANK], offset;
  int64_t count;     // elements
  int64_t extent;    // elements of memory, gaps and the offset included
  const void *input; // the user's, row-major, or NULL
  bool is_cautious;  // as in assay_tail_request
  bool is_output;    // added by the compiler to hold a result: filled with poison
} assay_argument;

// All arguments of a signature, in the arena. ASSAY_UNSUPPORTED or ASSAY_INVALID name it.
ASSAY_MUST_USE assay_code assay_arguments_plan(const assay_tail_request *request,
                                               const assay_signature *signature, assay_arena *arena,
                                               assay_argument **out_arguments, assay_error *err);
// One that the compiler added: a memref, its dynamic sizes from `like` where that is not NULL.
ASSAY_MUST_USE assay_code assay_argument_plan_output(MlirType type, const int64_t *like,
                                                     assay_argument *out_argument,
                                                     assay_error *err);

// Element i of argument `number`: assay_value_pitch bytes. Indices outside tensors are small and
// positive: sizes, bounds and offsets, as a rule; other integers are so on the data set int.
void assay_argument_element(const assay_argument *argument, int number, int data, uint64_t seed,
                            int64_t i, void *out_element);
// Elements from the start of the memory to element i (row-major).
int64_t assay_argument_place(const assay_argument *argument, int64_t i);

#endif
