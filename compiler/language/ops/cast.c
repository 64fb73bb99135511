// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/linalg.h"
#include "compiler/language/operation.h"

#include <mlir-c/AffineMap.h>

static const char *conversion(const assay_dtype_info *from, const assay_dtype_info *to) {
  if (from->floating != to->floating)
    return from->floating ? "arith.fptosi" : "arith.sitofp";
  if (to->floating)
    return from->size < to->size ? "arith.extf" : "arith.truncf";
  return from->size < to->size ? "arith.extsi" : "arith.trunci";
}

static MlirValue emit(const assay_emission *emission) {
  const assay_node *node = emission->node;
  MlirContext context = emission->builder->context;
  MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(context, node->shape.rank);
  const assay_elementwise elementwise = {
      .input_count = 1,
      .inputs = emission->value,
      .maps = &identity,
      .type = assay_node_type(context, node),
      .operation =
          conversion(assay_dtype_get(emission->operand[0]->dtype), assay_dtype_get(node->dtype)),
  };
  return assay_linalg_elementwise(emission->builder, &elementwise);
}

static const assay_operation cast = {.name = "cast", .emit = emit};

assay_value assay_cast(assay_graph *graph, assay_value x, assay_dtype dtype) {
  const assay_node *source = assay_graph_operand(graph, &cast, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  if (source->dtype == dtype)
    return x;
  return assay_graph_append(graph, &(assay_node){.operation = &cast,
                                                 .operand = {x.node},
                                                 .operand_count = 1,
                                                 .dtype = dtype,
                                                 .shape = source->shape});
}
