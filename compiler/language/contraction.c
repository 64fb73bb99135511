// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/contraction.h"

#include "compiler/ir/linalg.h"

#include <mlir-c/BuiltinAttributes.h>

assay_value assay_contraction(assay_graph *graph, const assay_operation *operation, assay_value a,
                              assay_value b, assay_shape shape) {
  const assay_value given[] = {a, b};
  assay_dtype dtype;
  if (!assay_graph_promote(graph, operation, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  assay_precision precision = assay_graph_precision(graph);
  if (precision == ASSAY_PRECISION_TF32 && dtype != ASSAY_F32)
    return assay_operands_reject(graph, operation, 2, given,
                                 "precision=tf32 is for operands of f32, found %s",
                                 assay_dtype_get(dtype)->name);
  assay_dtype wide = dtype == ASSAY_F16 ? ASSAY_F32 : dtype;
  a = assay_cast(graph, a, wide);
  b = assay_cast(graph, b, wide);
  assay_value product = assay_graph_append(graph, &(assay_node){.operation = operation,
                                                                .operand = {a.node, b.node},
                                                                .operand_count = 2,
                                                                .dtype = wide,
                                                                .shape = shape,
                                                                .attribute.precision = precision});
  return assay_cast(graph, product, dtype);
}

uint64_t assay_contraction_hash(uint64_t hash, const assay_node *node) {
  assay_precision precision = node->attribute.precision;
  return precision == ASSAY_PRECISION_EXACT ? hash
                                            : assay_hash_bytes(hash, &precision, sizeof precision);
}

void assay_contraction_describe(assay_text *text, const assay_node *node) {
  if (node->attribute.precision == ASSAY_PRECISION_TF32)
    assay_text_print(text, "tf32");
}

MlirValue assay_contraction_emit(const assay_emission *emission, const char *name) {
  const assay_builder *builder = emission->builder;
  MlirType type = assay_node_type(builder->context, emission->node);
  MlirValue product =
      assay_linalg_named(builder, name, 2, emission->value, assay_linalg_zeros(builder, type));
  if (emission->node->attribute.precision == ASSAY_PRECISION_TF32)
    mlirOperationSetDiscardableAttributeByName(
        mlirOpResultGetOwner(product), mlirStringRefCreateFromCString(ASSAY_PRECISION_ATTRIBUTE),
        mlirStringAttrGet(builder->context, mlirStringRefCreateFromCString("tf32")));
  return product;
}
