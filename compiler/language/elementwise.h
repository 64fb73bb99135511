// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operations that compute element by element share: broadcasting, and a linalg.generic around
// the computation of one element.
//
// Elements of f16 are computed in f32 and rounded once, as NumPy does.
#ifndef ASSAY_COMPILER_LANGUAGE_ELEMENTWISE_H
#define ASSAY_COMPILER_LANGUAGE_ELEMENTWISE_H

#include "compiler/language/operation.h"

// One element about to be computed. `wide` dtypes are f32 for f16, else the dtype itself.
struct assay_element {
  const assay_builder *builder; // the end of the loop body
  const assay_node *node;
  const assay_node *const *operand;
  const MlirValue *x; // an element of each operand, in its wide dtype
  assay_dtype dtype;  // the wide dtype of the last operand: what arithmetic is done in
  MlirType type;      // of the result's wide dtype
};

// Whether operands, as they were given, broadcast; rejected where they do not. Asked before they
// are promoted, so that the message has the dtypes that they came with.
bool assay_elementwise_fit(assay_graph *graph, const assay_operation *operation, int count,
                           const assay_value values[]);
// The same of two, which are then cast to the dtype they promote to; false after a violation.
bool assay_elementwise_promote(assay_graph *graph, const assay_operation *operation, assay_value *a,
                               assay_value *b, assay_dtype *out_dtype);

// Appends a node of the operation on values that have their final dtypes, with the shape that they
// broadcast to by NumPy's rule: aligned at their last axes, sizes equal or 1.
assay_value assay_elementwise(assay_graph *graph, const assay_operation *operation,
                              assay_dtype dtype, int count, const assay_value values[]);
// The same on two values that are promoted first; the result has the promoted dtype.
assay_value assay_elementwise_promoted(assay_graph *graph, const assay_operation *operation,
                                       assay_value a, assay_value b);
// A function of real numbers: f64 of i32 and i64, f16 of bool, else of the operand's own dtype.
assay_value assay_elementwise_real(assay_graph *graph, const assay_operation *operation,
                                   assay_value x);

// The emitter of all of them.
MlirValue assay_elementwise_emit(const assay_emission *emission);

// The result of one operation on all elements, by the dtype they come in; NULL where none can be of
// it.
MlirValue assay_element_apply(const assay_element *element, const char *floating,
                              const char *integer, const char *boolean);
// A constant of the dtype they come in.
MlirValue assay_element_number(const assay_element *element, int number);

#endif
