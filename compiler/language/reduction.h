// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reductions over one axis share: their rule, and a linalg.generic over the axes of the
// operand in order, whose reduced axis may be any.
#ifndef ASSAY_COMPILER_LANGUAGE_REDUCTION_H
#define ASSAY_COMPILER_LANGUAGE_REDUCTION_H

#include "compiler/language/operation.h"

// Checks -rank <= axis < rank and counts it from 0. False, and rejected, where it is out of range.
bool assay_reduction_axis(assay_graph *graph, const assay_operation *operation,
                          const assay_node *source, int *axis);
// Appends the node, of x's dtype, and with keepdims the axis again with size 1. The axis counts
// from 0.
assay_value assay_reduction(assay_graph *graph, const assay_operation *operation, assay_value x,
                            int axis, bool keepdims);

// How two elements become one, by dtype, and what the first one meets.
typedef struct assay_fold {
  const char *floating, *integer, *boolean; // operations; NULL where none can be of the dtype
  MlirAttribute (*start)(MlirContext context, assay_dtype dtype);
} assay_fold;

// Folds in any order: sums of floats may be regrouped, as a vector's lanes do.
MlirValue assay_reduction_emit(const assay_emission *emission, const assay_fold *fold);
uint64_t assay_reduction_hash(uint64_t hash, const assay_node *node);
void assay_reduction_describe(assay_text *text, const assay_node *node);

#endif
