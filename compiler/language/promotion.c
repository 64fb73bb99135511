// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy 2's promotion (NEP 50) of operands that may be scalars.
#include "compiler/language/operation.h"

#include <inttypes.h>

static bool is_weak(const assay_node *node) {
  const assay_scalar *scalar = assay_node_scalar(node);
  return scalar != NULL && scalar->weak;
}

static assay_dtype bend(assay_dtype weak, assay_dtype strong) {
  if (weak == ASSAY_BOOL || assay_dtype_get(strong)->floating)
    return strong;
  if (weak == ASSAY_F64 || strong == ASSAY_BOOL)
    return weak;
  return strong;
}

assay_dtype assay_node_promote(const assay_node *a, const assay_node *b) {
  if (is_weak(a) == is_weak(b))
    return assay_dtype_promote(a->dtype, b->dtype);
  return is_weak(a) ? bend(a->dtype, b->dtype) : bend(b->dtype, a->dtype);
}

assay_value assay_graph_convert(assay_graph *graph, const assay_operation *operation,
                                assay_value value, assay_dtype dtype) {
  const assay_node *node = assay_graph_operand(graph, operation, value);
  if (node == NULL)
    return ASSAY_NO_VALUE;
  if (is_weak(node) && node->dtype == ASSAY_I64 && dtype != ASSAY_BOOL &&
      !assay_integer_fits(node->attribute.scalar.integer, dtype))
    return assay_graph_reject(graph, operation, "%s cannot hold the Python integer %" PRId64,
                              assay_dtype_get(dtype)->name, node->attribute.scalar.integer);
  return assay_cast(graph, value, dtype);
}

bool assay_graph_promote(assay_graph *graph, const assay_operation *operation, assay_value *a,
                         assay_value *b, assay_dtype *out_dtype) {
  const assay_node *lhs = assay_graph_operand(graph, operation, *a);
  const assay_node *rhs = assay_graph_operand(graph, operation, *b);
  if (lhs == NULL || rhs == NULL)
    return false;
  *out_dtype = assay_node_promote(lhs, rhs);
  *a = assay_graph_convert(graph, operation, *a, *out_dtype);
  *b = assay_graph_convert(graph, operation, *b, *out_dtype);
  return a->node >= 0 && b->node >= 0;
}
