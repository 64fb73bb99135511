// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What matmul and batch_matmul share once their shapes are found to fit.
#ifndef ASSAY_COMPILER_LANGUAGE_CONTRACTION_H
#define ASSAY_COMPILER_LANGUAGE_CONTRACTION_H

#include "compiler/language/operation.h"

// Promotes the operands and appends the node. As in NumPy, f16 is multiplied and summed in f32 and
// each sum rounded once; of bool the product is `and`, the sum `or`.
assay_value assay_contraction(assay_graph *graph, const assay_operation *operation, assay_value a,
                              assay_value b, assay_shape shape);

// The linalg operation of the name ("linalg.matmul") on zeros; tf32 is its attribute
// ASSAY_PRECISION_ATTRIBUTE.
MlirValue assay_contraction_emit(const assay_emission *emission, const char *name);

// Hash and description of the precision, where it is not the exact one.
uint64_t assay_contraction_hash(uint64_t hash, const assay_node *node);
void assay_contraction_describe(assay_text *text, const assay_node *node);

#endif
