// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/contraction.h"

#include <inttypes.h>

static MlirValue emit(const assay_emission *emission) {
  return assay_contraction_emit(emission, "linalg.batch_matmul");
}

static const assay_operation batch_matmul = {
    .name = "batch_matmul",
    .symbol = "@",
    .contraction = true,
    .emit = emit,
    .hash = assay_contraction_hash,
    .describe = assay_contraction_describe,
};

assay_value assay_batch_matmul(assay_graph *graph, assay_value a, assay_value b) {
  const assay_node *lhs = assay_graph_operand(graph, &batch_matmul, a);
  const assay_node *rhs = assay_graph_operand(graph, &batch_matmul, b);
  if (lhs == NULL || rhs == NULL)
    return ASSAY_NO_VALUE;
  const assay_shape *x = &lhs->shape, *y = &rhs->shape;
  if (x->rank != 3 || y->rank != 3)
    return assay_operands_reject(graph, &batch_matmul, 2, (assay_value[]){a, b},
                                 "both operands must have rank 3, found %d and %d", x->rank,
                                 y->rank);
  if (x->dim[0] != y->dim[0])
    return assay_operands_reject(graph, &batch_matmul, 2, (assay_value[]){a, b},
                                 "the batch sizes must be equal (unlike NumPy's, batches do not "
                                 "broadcast), found %" PRId64 " and %" PRId64,
                                 x->dim[0], y->dim[0]);
  if (x->dim[2] != y->dim[1])
    return assay_operands_reject(graph, &batch_matmul, 2, (assay_value[]){a, b},
                                 "the inner sizes must be equal, found %" PRId64 " and %" PRId64,
                                 x->dim[2], y->dim[1]);
  return assay_contraction(graph, &batch_matmul, a, b,
                           assay_shape_make(3, x->dim[0], x->dim[1], y->dim[2]));
}
