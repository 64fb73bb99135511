// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/contraction.h"

#include <inttypes.h>

static MlirValue emit(const assay_emission *emission) {
  return assay_contraction_emit(emission, "linalg.matmul");
}

static const assay_operation matmul = {
    .name = "matmul",
    .symbol = "@",
    .contraction = true,
    .emit = emit,
    .hash = assay_contraction_hash,
    .describe = assay_contraction_describe,
};

assay_value assay_matmul(assay_graph *graph, assay_value a, assay_value b) {
  const assay_node *lhs = assay_graph_operand(graph, &matmul, a);
  const assay_node *rhs = assay_graph_operand(graph, &matmul, b);
  if (lhs == NULL || rhs == NULL)
    return ASSAY_NO_VALUE;
  const assay_shape *x = &lhs->shape, *y = &rhs->shape;
  if (x->rank != 2 || y->rank != 2)
    return assay_operands_reject(graph, &matmul, 2, (assay_value[]){a, b},
                                 "both operands must have rank 2, found %d and %d", x->rank,
                                 y->rank);
  if (x->dim[1] != y->dim[0])
    return assay_operands_reject(graph, &matmul, 2, (assay_value[]){a, b},
                                 "the inner sizes must be equal, found %" PRId64 " and %" PRId64,
                                 x->dim[1], y->dim[0]);
  return assay_contraction(graph, &matmul, a, b, assay_shape_make(2, x->dim[0], y->dim[1]));
}
