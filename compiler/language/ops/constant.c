// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/operation.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>

// As a tensor, for operations that are not elementwise.
static MlirValue emit(const assay_emission *emission) {
  const assay_builder *builder = emission->builder;
  const assay_node *node = emission->node;
  MlirAttribute number = assay_dtype_number(builder->context, node->dtype, node->attribute.scalar);
  MlirType type = assay_node_type(builder->context, node);
  return assay_builder_constant(builder, mlirDenseElementsAttrSplatGet(type, number));
}

static uint64_t hash_scalar(uint64_t hash, const assay_node *node) {
  const assay_scalar *scalar = &node->attribute.scalar;
  hash = assay_hash_bytes(hash, &scalar->weak, sizeof scalar->weak);
  hash = assay_hash_bytes(hash, &scalar->integer, sizeof scalar->integer);
  return assay_hash_bytes(hash, &scalar->real, sizeof scalar->real);
}

static void print_scalar(assay_text *text, const assay_node *node) {
  const assay_scalar *scalar = &node->attribute.scalar;
  if (assay_dtype_get(node->dtype)->floating)
    assay_text_print(text, "%.17g", scalar->real);
  else
    assay_text_print(text, "%" PRId64, scalar->integer);
}

static const assay_operation constant = {
    .name = "constant", .emit = emit, .hash = hash_scalar, .describe = print_scalar};

const assay_scalar *assay_node_scalar(const assay_node *node) {
  return node->operation == &constant ? &node->attribute.scalar : NULL;
}

assay_value assay_graph_constant(assay_graph *graph, assay_dtype dtype, assay_scalar scalar) {
  return assay_graph_append(
      graph, &(assay_node){.operation = &constant, .dtype = dtype, .attribute.scalar = scalar});
}

assay_value assay_weak_bool(assay_graph *graph, bool value) {
  return assay_graph_constant(graph, ASSAY_BOOL, (assay_scalar){.weak = true, .integer = value});
}

assay_value assay_weak_int(assay_graph *graph, int64_t value) {
  return assay_graph_constant(graph, ASSAY_I64, (assay_scalar){.weak = true, .integer = value});
}

assay_value assay_weak_float(assay_graph *graph, double value) {
  return assay_graph_constant(graph, ASSAY_F64, (assay_scalar){.weak = true, .real = value});
}

assay_value assay_strong_int(assay_graph *graph, assay_dtype dtype, int64_t value) {
  if (!assay_integer_fits(value, dtype))
    return assay_graph_reject(graph, &constant, "%s cannot hold %" PRId64,
                              assay_dtype_get(dtype)->name, value);
  assay_scalar scalar = {.integer = value};
  return assay_graph_constant(graph, dtype, assay_scalar_cast(&scalar, ASSAY_I64, dtype));
}

assay_value assay_strong_float(assay_graph *graph, assay_dtype dtype, double value) {
  if (!assay_dtype_get(dtype)->floating)
    return assay_graph_reject(graph, &constant, "a float constant needs a floating dtype, found %s",
                              assay_dtype_get(dtype)->name);
  assay_scalar scalar = {.real = value};
  return assay_graph_constant(graph, dtype, assay_scalar_cast(&scalar, ASSAY_F64, dtype));
}
