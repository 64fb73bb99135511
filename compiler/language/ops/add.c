// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/linalg.h"
#include "compiler/language/operation.h"

#include <inttypes.h>
#include <mlir-c/AffineExpr.h>
#include <mlir-c/AffineMap.h>

// Which element of an operand goes into an element of the result: shapes are aligned at their last
// axes, and a size of 1 stands for any size.
static MlirAffineMap broadcast_map(MlirContext context, const assay_shape *operand,
                                   const assay_shape *result) {
  MlirAffineExpr index[ASSAY_MAX_RANK];
  int missing = result->rank - operand->rank;
  for (int i = 0; i < operand->rank; i++) {
    bool stretched = operand->dim[i] != result->dim[missing + i];
    index[i] = stretched ? mlirAffineConstantExprGet(context, 0)
                         : mlirAffineDimExprGet(context, missing + i);
  }
  return mlirAffineMapGet(context, result->rank, 0, operand->rank, index);
}

static MlirValue emit(const assay_emission *emission) {
  const assay_node *node = emission->node;
  MlirContext context = emission->builder->context;
  MlirAffineMap maps[] = {
      broadcast_map(context, &emission->operand[0]->shape, &node->shape),
      broadcast_map(context, &emission->operand[1]->shape, &node->shape),
  };
  const assay_elementwise elementwise = {
      .input_count = 2,
      .inputs = emission->value,
      .maps = maps,
      .type = assay_node_type(context, node),
      .operation = assay_dtype_get(node->dtype)->floating ? "arith.addf" : "arith.addi",
  };
  return assay_linalg_elementwise(emission->builder, &elementwise);
}

static const assay_operation add = {.name = "add", .emit = emit};

assay_value assay_add(assay_graph *graph, assay_value a, assay_value b) {
  const assay_node *lhs = assay_graph_operand(graph, &add, a);
  const assay_node *rhs = assay_graph_operand(graph, &add, b);
  if (lhs == NULL || rhs == NULL)
    return ASSAY_NO_VALUE;
  const assay_shape *x = &lhs->shape, *y = &rhs->shape;
  assay_shape shape = {.rank = x->rank > y->rank ? x->rank : y->rank};
  for (int i = 0; i < shape.rank; i++) {
    int at_x = i - (shape.rank - x->rank), at_y = i - (shape.rank - y->rank);
    int64_t from_x = at_x >= 0 ? x->dim[at_x] : 1, from_y = at_y >= 0 ? y->dim[at_y] : 1;
    if (from_x != from_y && from_x != 1 && from_y != 1)
      return assay_graph_reject(graph, &add,
                                "%s + %s: sizes must be equal or 1 to broadcast, found %" PRId64
                                " and %" PRId64 " on axis %d of the result",
                                assay_shape_print(x).text, assay_shape_print(y).text, from_x,
                                from_y, i);
    shape.dim[i] = from_x > from_y ? from_x : from_y;
  }
  assay_dtype dtype = assay_graph_promote(graph, &a, &b);
  return assay_graph_append(graph, &(assay_node){.operation = &add,
                                                 .operand = {a.node, b.node},
                                                 .operand_count = 2,
                                                 .dtype = dtype,
                                                 .shape = shape});
}
