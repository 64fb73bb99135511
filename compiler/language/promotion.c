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

// A weak int that the dtype it meets cannot hold.
static bool is_beyond(const assay_node *node, assay_dtype dtype) {
  return is_weak(node) && node->dtype == ASSAY_I64 && dtype != ASSAY_BOOL &&
         !assay_integer_fits(node->attribute.scalar.integer, dtype);
}

bool assay_graph_promote(assay_graph *graph, const assay_operation *operation, assay_value *a,
                         assay_value *b, assay_dtype *out_dtype) {
  const assay_node *lhs = assay_graph_operand(graph, operation, *a);
  const assay_node *rhs = assay_graph_operand(graph, operation, *b);
  if (lhs == NULL || rhs == NULL)
    return false;
  *out_dtype = assay_node_promote(lhs, rhs);
  const assay_node *beyond = is_beyond(lhs, *out_dtype) ? lhs : rhs;
  if (is_beyond(beyond, *out_dtype)) {
    (void)assay_operands_reject(
        graph, operation, 2, (assay_value[]){*a, *b}, "%s cannot hold the Python integer %" PRId64,
        assay_dtype_get(*out_dtype)->name, beyond->attribute.scalar.integer);
    return false;
  }
  *a = assay_cast(graph, *a, *out_dtype);
  *b = assay_cast(graph, *b, *out_dtype);
  return a->node >= 0 && b->node >= 0;
}
