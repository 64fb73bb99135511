// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/linalg.h"
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

static MlirValue emit(const assay_emission *emission) {
  const assay_builder *builder = emission->builder;
  const assay_node *node = emission->node;
  int64_t axes[ASSAY_MAX_RANK];
  for (int i = 0; i < node->shape.rank; i++)
    axes[i] = node->attribute.permutation[i];
  MlirType type = assay_node_type(builder->context, node);
  return assay_linalg_transpose(builder, emission->value[0], type, axes);
}

static uint64_t hash_permutation(uint64_t hash, const assay_node *node) {
  return assay_hash_bytes(hash, node->attribute.permutation,
                          (size_t)node->shape.rank * sizeof(int));
}

static void print_axes(assay_text *text, int count, const int permutation[]) {
  assay_text_print(text, "(");
  for (int i = 0; i < count; i++)
    assay_text_print(text, "%s%d", i > 0 ? ", " : "", permutation[i]);
  assay_text_print(text, ")");
}

static void print_permutation(assay_text *text, const assay_node *node) {
  print_axes(text, node->shape.rank, node->attribute.permutation);
}

static const assay_operation transpose = {
    .name = "transpose", .emit = emit, .hash = hash_permutation, .describe = print_permutation};

// "3x5xf32 by (0, 1)"
static const char *describe(assay_graph *graph, const assay_node *source, int count,
                            const int permutation[]) {
  assay_text text = {.arena = assay_graph_arena(graph)};
  assay_text_print(&text, "%s by ", assay_tensor_print(source->dtype, &source->shape).text);
  print_axes(&text, count, permutation);
  return assay_text_get(&text);
}

assay_value assay_transpose(assay_graph *graph, assay_value x, int count, const int permutation[]) {
  const assay_node *source = assay_graph_operand(graph, &transpose, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  const assay_shape *shape = &source->shape;
  if (count != shape->rank)
    return assay_graph_reject(
        graph, &transpose, "%s: the permutation must hold each of the %d axes once, found %d axes",
        describe(graph, source, count, permutation), shape->rank, count);
  assay_node node = {.operation = &transpose,
                     .operand = {x.node},
                     .operand_count = 1,
                     .dtype = source->dtype,
                     .shape = {.rank = count}};
  bool seen[ASSAY_MAX_RANK] = {false};
  for (int i = 0; i < count; i++) {
    int axis = permutation[i];
    if (axis < 0 || axis >= count)
      return assay_graph_reject(graph, &transpose, "%s: each axis must be from 0 to %d, found %d",
                                describe(graph, source, count, permutation), count - 1, axis);
    if (seen[axis])
      return assay_graph_reject(graph, &transpose,
                                "%s: the permutation must hold each axis once, found %d twice",
                                describe(graph, source, count, permutation), axis);
    seen[axis] = true;
    node.attribute.permutation[i] = axis;
    node.shape.dim[i] = shape->dim[axis];
  }
  return assay_graph_append(graph, &node);
}
