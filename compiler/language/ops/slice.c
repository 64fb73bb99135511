// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>

static MlirValue emit(const assay_emission *emission) {
  const assay_builder *builder = emission->builder;
  const assay_node *node = emission->node;
  int rank = node->shape.rank;
  int64_t offsets[ASSAY_MAX_RANK], strides[ASSAY_MAX_RANK];
  for (int i = 0; i < rank; i++) {
    offsets[i] = node->attribute.range[i].start;
    strides[i] = 1;
  }
  // The source; no offset, size or stride is a value.
  const int32_t segments[] = {1, 0, 0, 0};
  MlirNamedAttribute attributes[] = {
      assay_builder_numbers(builder, "static_offsets", rank, offsets),
      assay_builder_numbers(builder, "static_sizes", rank, node->shape.dim),
      assay_builder_numbers(builder, "static_strides", rank, strides),
      assay_builder_attribute(builder, "operandSegmentSizes",
                              mlirDenseI32ArrayGet(builder->context, 4, segments)),
  };
  MlirType type = assay_node_type(builder->context, node);
  return assay_builder_add_value(builder, &(assay_recipe){.name = "tensor.extract_slice",
                                                          .operand_count = 1,
                                                          .operands = emission->value,
                                                          .attribute_count = 4,
                                                          .attributes = attributes,
                                                          .result_count = 1,
                                                          .results = &type});
}

// The stops show in the shape.
static uint64_t hash_starts(uint64_t hash, const assay_node *node) {
  for (int i = 0; i < node->shape.rank; i++)
    hash = assay_hash_bytes(hash, &node->attribute.range[i].start, sizeof(int64_t));
  return hash;
}

// "[0:3, 1:4:2]", as NumPy writes it.
static void print_ranges(assay_text *text, int count, const assay_range ranges[]) {
  assay_text_print(text, "[");
  for (int i = 0; i < count; i++) {
    assay_text_print(text, "%s%" PRId64 ":%" PRId64, i > 0 ? ", " : "", ranges[i].start,
                     ranges[i].stop);
    if (ranges[i].step != 1)
      assay_text_print(text, ":%" PRId64, ranges[i].step);
  }
  assay_text_print(text, "]");
}

static void print_attribute(assay_text *text, const assay_node *node) {
  print_ranges(text, node->shape.rank, node->attribute.range);
}

static const assay_operation slice = {
    .name = "slice", .emit = emit, .hash = hash_starts, .describe = print_attribute};

static const char *describe(assay_graph *graph, const assay_node *source, int count,
                            const assay_range ranges[]) {
  assay_text text = {.arena = assay_graph_arena(graph)};
  assay_text_print(&text, "%s ", assay_tensor_print(source->dtype, &source->shape).text);
  print_ranges(&text, count, ranges);
  return assay_text_get(&text);
}

// The rule that a range breaks on an axis of the given size, in the arena, or NULL.
static const char *find_fault(assay_arena *arena, int axis, int64_t size, assay_range range) {
  if (range.step != 1)
    return assay_arena_format(arena, "the step of axis %d must be 1, found %" PRId64, axis,
                              range.step);
  if (range.start < 0 || range.start > size)
    return assay_arena_format(
        arena, "the start of axis %d must be from 0 to its size %" PRId64 ", found %" PRId64, axis,
        size, range.start);
  if (range.stop < 0 || range.stop > size)
    return assay_arena_format(
        arena, "the stop of axis %d must be from 0 to its size %" PRId64 ", found %" PRId64, axis,
        size, range.stop);
  if (range.start >= range.stop)
    return assay_arena_format(arena,
                              "the slice of axis %d must not be empty, found %" PRId64 ":%" PRId64,
                              axis, range.start, range.stop);
  return NULL;
}

assay_value assay_slice(assay_graph *graph, assay_value x, int count, const assay_range ranges[]) {
  const assay_node *source = assay_graph_operand(graph, &slice, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  const assay_shape *shape = &source->shape;
  if (count != shape->rank)
    return assay_graph_reject(graph, &slice,
                              "%s: one range for each of the %d axes is needed, found %d",
                              describe(graph, source, count, ranges), shape->rank, count);
  assay_node node = {.operation = &slice,
                     .operand = {x.node},
                     .operand_count = 1,
                     .dtype = source->dtype,
                     .shape = {.rank = count}};
  for (int i = 0; i < count; i++) {
    const char *fault = find_fault(assay_graph_arena(graph), i, shape->dim[i], ranges[i]);
    if (fault != NULL)
      return assay_graph_reject(graph, &slice, "%s: %s", describe(graph, source, count, ranges),
                                fault);
    node.attribute.range[i] = ranges[i];
    node.shape.dim[i] = ranges[i].stop - ranges[i].start;
  }
  if (assay_shape_equal(&node.shape, shape))
    return x; // nothing is taken away
  return assay_graph_append(graph, &node);
}
