// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/operation.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

// tensor.reshape rather than collapse_shape and expand_shape: elementwise fusion would turn a
// contraction beside one of those into a linalg.generic that no BLAS recognizes.
static MlirValue emit(const assay_emission *emission) {
  const assay_builder *builder = emission->builder;
  const assay_shape *shape = &emission->node->shape;
  int64_t rank = shape->rank;
  MlirType type = mlirRankedTensorTypeGet(1, &rank, mlirIntegerTypeGet(builder->context, 64),
                                          mlirAttributeGetNull());
  MlirValue sizes =
      assay_builder_constant(builder, mlirDenseElementsAttrInt64Get(type, rank, shape->dim));
  MlirValue operands[] = {emission->value[0], sizes};
  MlirType result = assay_node_type(builder->context, emission->node);
  return assay_builder_add_value(builder, &(assay_recipe){.name = "tensor.reshape",
                                                          .operand_count = 2,
                                                          .operands = operands,
                                                          .result_count = 1,
                                                          .results = &result});
}

static const assay_operation reshape = {.name = "reshape", .emit = emit};

assay_value assay_reshape(assay_graph *graph, assay_value x, assay_shape shape) {
  const assay_node *source = assay_graph_operand(graph, &reshape, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  assay_error broken;
  if (assay_shape_check(&shape, &broken) != ASSAY_OK)
    return assay_graph_reject(graph, &reshape, "%s to %s: %s",
                              assay_shape_print(&source->shape).text,
                              assay_shape_print(&shape).text, broken.text);
  int64_t before = assay_shape_count(&source->shape), after = assay_shape_count(&shape);
  if (before != after)
    return assay_graph_reject(
        graph, &reshape,
        "%s to %s: the count of elements must stay the same, found %" PRId64 " and %" PRId64,
        assay_shape_print(&source->shape).text, assay_shape_print(&shape).text, before, after);
  return assay_graph_append(graph, &(assay_node){.operation = &reshape,
                                                 .operand = {x.node},
                                                 .operand_count = 1,
                                                 .dtype = source->dtype,
                                                 .shape = shape});
}
