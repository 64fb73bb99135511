// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/linalg.h"
#include "compiler/language/operation.h"
#include "compiler/language/tensor.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirValue number(const assay_builder *body, assay_dtype dtype, double value) {
  assay_scalar exact = {.real = value};
  return assay_builder_constant(
      body, assay_dtype_number(body->context, dtype, assay_scalar_cast(&exact, ASSAY_F64, dtype)));
}

static MlirValue loop_index(const assay_builder *body, int loop) {
  MlirType type = mlirIndexTypeGet(body->context);
  MlirNamedAttribute dim = assay_builder_attribute(
      body, "dim", mlirIntegerAttrGet(mlirIntegerTypeGet(body->context, 64), loop));
  return assay_builder_add_value(body, &(assay_recipe){.name = "linalg.index",
                                                       .attribute_count = 1,
                                                       .attributes = &dim,
                                                       .result_count = 1,
                                                       .results = &type});
}

// column <= row ? 0 : -1e10
static MlirValue element(const assay_builder *body, const MlirValue elements[], const void *data) {
  (void)elements;
  assay_dtype dtype = *(const assay_dtype *)data;
  enum { SLE = 3 };
  MlirValue row = loop_index(body, 0), column = loop_index(body, 1);
  MlirValue seen = assay_builder_compare(body, SLE, column, row);
  MlirValue zero = number(body, dtype, 0), far = number(body, dtype, -1e10);
  MlirValue choices[] = {seen, zero, far};
  return assay_builder_apply(body, "arith.select", assay_dtype_type(body->context, dtype), 3,
                             choices);
}

static MlirValue emit(const assay_emission *emission) {
  const assay_builder *builder = emission->builder;
  MlirAffineMap identity = mlirAffineMapMultiDimIdentityGet(builder->context, 2);
  MlirType type = assay_node_type(builder->context, emission->node);
  return assay_linalg_loops(builder, &(assay_loops){.maps = &identity,
                                                    .reduction = -1,
                                                    .init = assay_builder_empty(builder, type),
                                                    .body = element,
                                                    .data = &emission->node->dtype});
}

static const assay_operation causal_mask = {.name = "causal_mask", .emit = emit};

assay_value assay_causal_mask(assay_graph *graph, int64_t length, assay_dtype dtype) {
  assay_shape shape = assay_shape_make(2, length, length);
  if (length < 1)
    return assay_graph_reject(graph, &causal_mask,
                              "%s: the length must be at least 1, found %" PRId64,
                              assay_tensor_print(dtype, &shape).text, length);
  if (!assay_dtype_get(dtype)->floating)
    return assay_graph_reject(graph, &causal_mask, "%s: the dtype must be a floating one, found %s",
                              assay_tensor_print(dtype, &shape).text, assay_dtype_get(dtype)->name);
  return assay_graph_append(
      graph, &(assay_node){.operation = &causal_mask, .dtype = dtype, .shape = shape});
}
