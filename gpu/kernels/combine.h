// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operation that adds one step to a reduction's result, where it may be regrouped.
#ifndef ASSAY_GPU_KERNELS_COMBINE_H
#define ASSAY_GPU_KERNELS_COMBINE_H

#include "compiler/ir/builder.h"
#include "gpu/kernels/structured.h"

typedef struct assay_combiner {
  MlirOperation operation; // a copy of its own, in no block: the caller destroys it
  const struct assay_combining *known;
  intptr_t held; // the operand that is what the result holds so far
} assay_combiner;

// Whether result number `result` of the body is what it holds combined with something that does not
// depend on it. out_combiner: (optional)
bool assay_combiner_find(const assay_structured *of, int result, assay_combiner *out_combiner);

// What changes no other value, not even the sign of a zero or a NaN.
MlirValue assay_combiner_neutral(const assay_combiner *combiner, const assay_builder *at);
// held and value combined.
MlirValue assay_combiner_apply(const assay_combiner *combiner, const assay_builder *at,
                               MlirValue held, MlirValue value);
// The values of all threads of a block combined, in an order that depends on nothing but their
// number; every thread must come here.
MlirValue assay_combiner_all(const assay_combiner *combiner, const assay_builder *at,
                             MlirValue value);
// The operation of the dialect arith that a gpu.all_reduce combines by; NULL where it is none of
// those.
const char *assay_combining_name(MlirOperation all_reduce);

#endif
