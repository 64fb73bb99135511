// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/reduction.h"

#include "compiler/ir/linalg.h"
#include "compiler/language/tensor.h"

#include <mlir-c/AffineExpr.h>
#include <mlir-c/BuiltinAttributes.h>

bool assay_reduction_axis(assay_graph *graph, const assay_operation *operation,
                          const assay_node *source, int *axis) {
  int rank = source->shape.rank;
  if (*axis < -rank || *axis >= rank) {
    (void)assay_graph_reject(graph, operation,
                             "%s: the axis must be from -rank to rank - 1, found %d of rank %d",
                             assay_tensor_print(source->dtype, &source->shape).text, *axis, rank);
    return false;
  }
  *axis += *axis < 0 ? rank : 0;
  return true;
}

assay_value assay_reduction(assay_graph *graph, const assay_operation *operation, assay_value x,
                            int axis, bool keepdims) {
  const assay_node *source = assay_graph_operand(graph, operation, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  assay_node node = {.operation = operation,
                     .operand = {x.node},
                     .operand_count = 1,
                     .dtype = source->dtype,
                     .attribute.axis = axis};
  assay_shape kept = source->shape;
  kept.dim[axis] = 1;
  for (int i = 0; i < kept.rank; i++)
    if (i != axis)
      node.shape.dim[node.shape.rank++] = kept.dim[i];
  assay_value reduced = assay_graph_append(graph, &node);
  return keepdims ? assay_reshape(graph, reduced, kept) : reduced;
}

typedef struct step {
  const assay_fold *fold;
  assay_dtype dtype;
} step;

static MlirValue fold_element(const assay_builder *body, const MlirValue elements[],
                              const void *data) {
  const step *it = data;
  const char *name = it->fold->integer;
  bool floating = assay_dtype_get(it->dtype)->floating;
  if (floating)
    name = it->fold->floating;
  else if (it->dtype == ASSAY_BOOL)
    name = it->fold->boolean;
  MlirStringRef any_order = mlirStringRefCreateFromCString("#arith.fastmath<reassoc>");
  MlirNamedAttribute fast =
      assay_builder_attribute(body, "fastmath", mlirAttributeParseGet(body->context, any_order));
  MlirType type = assay_dtype_type(body->context, it->dtype);
  return assay_builder_add_value(body, &(assay_recipe){.name = name,
                                                       .operand_count = 2,
                                                       .operands = elements,
                                                       .attribute_count = floating ? 1 : 0,
                                                       .attributes = &fast,
                                                       .result_count = 1,
                                                       .results = &type});
}

MlirValue assay_reduction_emit(const assay_emission *emission, const assay_fold *fold) {
  const assay_builder *builder = emission->builder;
  const assay_node *node = emission->node;
  MlirContext context = builder->context;
  int rank = emission->operand[0]->shape.rank, count = 0;
  MlirAffineExpr kept[ASSAY_MAX_RANK];
  for (int i = 0; i < rank; i++)
    if (i != node->attribute.axis)
      kept[count++] = mlirAffineDimExprGet(context, i);
  MlirAffineMap maps[] = {mlirAffineMapMultiDimIdentityGet(context, rank),
                          mlirAffineMapGet(context, rank, 0, count, kept)};
  step it = {fold, node->dtype};
  MlirValue start =
      assay_linalg_full(builder, assay_node_type(context, node), fold->start(context, node->dtype));
  return assay_linalg_loops(builder, &(assay_loops){.input_count = 1,
                                                    .inputs = emission->value,
                                                    .maps = maps,
                                                    .reduction = node->attribute.axis,
                                                    .init = start,
                                                    .body = fold_element,
                                                    .data = &it});
}

uint64_t assay_reduction_hash(uint64_t hash, const assay_node *node) {
  return assay_hash_bytes(hash, &node->attribute.axis, sizeof node->attribute.axis);
}

void assay_reduction_describe(assay_text *text, const assay_node *node) {
  assay_text_print(text, "axis %d", node->attribute.axis);
}
