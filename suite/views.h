// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: the ways in which an operand of a contraction comes from its argument, and in which its
// result is looked at. OPS.md lists them; these are the layouts in which strides go wrong.
#ifndef ASSAY_SUITE_VIEWS_H
#define ASSAY_SUITE_VIEWS_H

#include "compiler/language/graph.h"

// The names of the views, as the choices of a key.
#define ASSAY_MATRIX_VIEWS "plain|sliced|transposed|sliced_transposed|reshaped"
#define ASSAY_BATCH_VIEWS ASSAY_MATRIX_VIEWS "|heads"

// Adds the argument of that name and dtype to the graph and returns the operand that the view makes
// of it. operand: the operand's shape, rows x columns or batch x rows x columns, each from 1.
assay_value assay_view_operand(assay_graph *graph, const char *view, const char *name,
                               assay_dtype dtype, assay_shape operand);

// The view of a contraction's result: m x n or b x m x n.
assay_value assay_view_result(assay_graph *graph, const char *view, assay_value contraction);

#endif
