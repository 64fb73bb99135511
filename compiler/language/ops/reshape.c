// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

// tensor.reshape: of the result or operand of a contraction, elementwise fusion would take
// expand_shape and collapse_shape for a reason to make it a linalg.generic that no BLAS recognizes.
static MlirValue emit_any(const assay_emission *emission) {
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
// Which axes of the result each axis of the source is split into: group[i] is the number of the
// source axis that result axis i belongs to. False where the reshape does more than split axes.
static bool find_split(const assay_shape *from, const assay_shape *to, int group[]) {
  int at = 0;
  for (int i = 0; i < from->rank; i++) {
    int64_t product = 1;
    int first = at;
    while (at < to->rank && (product < from->dim[i] || at == first)) {
      product *= to->dim[at];
      group[at++] = i;
    }
    if (at == first || product != from->dim[i])
      return false;
  }
  for (; at < to->rank && from->rank > 0; at++)
    group[at] = from->rank - 1; // ones at the end
  return from->rank > 0;
}

// tensor.expand_shape: of a slice, which bufferization would copy for tensor.reshape, as its buffer
// is not contiguous.
static MlirValue emit_split(const assay_emission *emission, const int group[]) {
  const assay_builder *builder = emission->builder;
  const assay_shape *shape = &emission->node->shape;
  int groups = emission->operand[0]->shape.rank;
  MlirAttribute axes[ASSAY_MAX_RANK], reassociation[ASSAY_MAX_RANK];
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  for (int i = 0; i < groups; i++) {
    int count = 0;
    for (int axis = 0; axis < shape->rank; axis++)
      if (group[axis] == i)
        axes[count++] = mlirIntegerAttrGet(i64, axis);
    reassociation[i] = mlirArrayAttrGet(builder->context, count, axes);
  }
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(builder, "reassociation",
                              mlirArrayAttrGet(builder->context, groups, reassociation)),
      assay_builder_numbers(builder, "static_output_shape", shape->rank, shape->dim),
  };
  MlirType result = assay_node_type(builder->context, emission->node);
  return assay_builder_add_value(builder, &(assay_recipe){.name = "tensor.expand_shape",
                                                          .operand_count = 1,
                                                          .operands = emission->value,
                                                          .attribute_count = 2,
                                                          .attributes = attributes,
                                                          .result_count = 1,
                                                          .results = &result});
}

// A slice that takes something away stands between the two for good: with it no contraction is next
// to the expand_shape.
static MlirValue emit(const assay_emission *emission) {
  const assay_node *source = emission->operand[0];
  int group[ASSAY_MAX_RANK];
  if (strcmp(source->operation->name, "slice") == 0 &&
      find_split(&source->shape, &emission->node->shape, group))
    return emit_split(emission, group);
  return emit_any(emission);
}

static const assay_operation reshape = {.name = "reshape", .emit = emit};

assay_value assay_reshape(assay_graph *graph, assay_value x, assay_shape shape) {
  const assay_node *source = assay_graph_operand(graph, &reshape, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  assay_error broken;
  if (assay_shape_check(&shape, &broken) != ASSAY_OK)
    return assay_graph_reject(graph, &reshape, "%s to %s: %s",
                              assay_tensor_print(source->dtype, &source->shape).text,
                              assay_shape_print(&shape).text, broken.text);
  int64_t before = assay_shape_count(&source->shape), after = assay_shape_count(&shape);
  if (before != after)
    return assay_graph_reject(graph, &reshape,
                              "%s to %s: the count of elements must stay the same, found %" PRId64
                              " and %" PRId64,
                              assay_tensor_print(source->dtype, &source->shape).text,
                              assay_shape_print(&shape).text, before, after);
  return assay_graph_append(graph, &(assay_node){.operation = &reshape,
                                                 .operand = {x.node},
                                                 .operand_count = 1,
                                                 .dtype = source->dtype,
                                                 .shape = shape});
}
