// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/contraction.h"

#include "compiler/ir/linalg.h"

assay_value assay_contraction(assay_graph *graph, const assay_operation *operation, assay_value a,
                              assay_value b, assay_shape shape) {
  assay_dtype dtype;
  if (!assay_graph_promote(graph, operation, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  assay_dtype wide = dtype == ASSAY_F16 ? ASSAY_F32 : dtype;
  a = assay_cast(graph, a, wide);
  b = assay_cast(graph, b, wide);
  assay_value product = assay_graph_append(graph, &(assay_node){.operation = operation,
                                                                .operand = {a.node, b.node},
                                                                .operand_count = 2,
                                                                .dtype = wide,
                                                                .shape = shape});
  return assay_cast(graph, product, dtype);
}

MlirValue assay_contraction_emit(const assay_emission *emission, const char *name) {
  const assay_builder *builder = emission->builder;
  MlirType type = assay_node_type(builder->context, emission->node);
  return assay_linalg_named(builder, name, 2, emission->value, assay_linalg_zeros(builder, type));
}
