// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

#include "compiler/ir/linalg.h"

#include <assert.h>
#include <inttypes.h>
#include <mlir-c/AffineExpr.h>

// ---- the rule ----

// The size of an axis of the result that the operand asks for.
static int64_t size_on(const assay_shape *operand, int rank, int axis) {
  int own = axis - (rank - operand->rank);
  return own >= 0 ? operand->dim[own] : 1;
}

static bool broadcast(assay_graph *graph, const assay_operation *operation, int count,
                      const assay_node *const operands[], assay_shape *out_shape) {
  assay_shape shape = {.rank = 0};
  for (int i = 0; i < count; i++)
    if (operands[i]->shape.rank > shape.rank)
      shape.rank = operands[i]->shape.rank;
  for (int axis = 0; axis < shape.rank; axis++) {
    shape.dim[axis] = 1;
    for (int i = 0; i < count; i++) {
      int64_t size = size_on(&operands[i]->shape, shape.rank, axis);
      if (size != 1 && shape.dim[axis] != 1 && size != shape.dim[axis]) {
        (void)assay_graph_reject(graph, operation,
                                 "%s: sizes must be equal or 1 to broadcast, found %" PRId64
                                 " and %" PRId64 " on axis %d of the result",
                                 assay_operands_print(graph, operation, count, operands),
                                 shape.dim[axis], size, axis);
        return false;
      }
      if (size != 1)
        shape.dim[axis] = size;
    }
  }
  *out_shape = shape;
  return true;
}

// The nodes of operands; false where the graph is broken.
static bool find_operands(assay_graph *graph, const assay_operation *operation, int count,
                          const assay_value values[], const assay_node *operands[]) {
  assert(count <= ASSAY_MAX_OPERANDS);
  for (int i = 0; i < count; i++) {
    operands[i] = assay_graph_operand(graph, operation, values[i]);
    if (operands[i] == NULL)
      return false;
  }
  return true;
}

bool assay_elementwise_fit(assay_graph *graph, const assay_operation *operation, int count,
                           const assay_value values[]) {
  const assay_node *operands[ASSAY_MAX_OPERANDS] = {NULL};
  assay_shape shape;
  return find_operands(graph, operation, count, values, operands) &&
         broadcast(graph, operation, count, operands, &shape);
}

assay_value assay_elementwise(assay_graph *graph, const assay_operation *operation,
                              assay_dtype dtype, int count, const assay_value values[]) {
  const assay_node *operands[ASSAY_MAX_OPERANDS] = {NULL};
  assay_node node = {.operation = operation, .operand_count = count, .dtype = dtype};
  if (!find_operands(graph, operation, count, values, operands) ||
      !broadcast(graph, operation, count, operands, &node.shape))
    return ASSAY_NO_VALUE;
  for (int i = 0; i < count; i++)
    node.operand[i] = values[i].node;
  return assay_graph_append(graph, &node);
}

bool assay_elementwise_promote(assay_graph *graph, const assay_operation *operation, assay_value *a,
                               assay_value *b, assay_dtype *out_dtype) {
  return assay_elementwise_fit(graph, operation, 2, (assay_value[]){*a, *b}) &&
         assay_graph_promote(graph, operation, a, b, out_dtype);
}

assay_value assay_elementwise_promoted(assay_graph *graph, const assay_operation *operation,
                                       assay_value a, assay_value b) {
  assay_dtype dtype;
  if (!assay_elementwise_promote(graph, operation, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  return assay_elementwise(graph, operation, dtype, 2, (assay_value[]){a, b});
}

assay_value assay_elementwise_real(assay_graph *graph, const assay_operation *operation,
                                   assay_value x) {
  const assay_node *source = assay_graph_operand(graph, operation, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  assay_dtype dtype = source->dtype;
  if (dtype == ASSAY_BOOL)
    dtype = ASSAY_F16;
  else if (!assay_dtype_get(dtype)->floating)
    dtype = ASSAY_F64;
  x = assay_cast(graph, x, dtype);
  return assay_elementwise(graph, operation, dtype, 1, &x);
}

// ---- the emitter ----

static assay_dtype widen(assay_dtype dtype) {
  return dtype == ASSAY_F16 ? ASSAY_F32 : dtype;
}

// Which element of an operand goes into an element of the result.
static MlirAffineMap broadcast_map(MlirContext context, const assay_shape *operand,
                                   const assay_shape *result) {
  MlirAffineExpr index[ASSAY_MAX_RANK];
  int missing = result->rank - operand->rank;
  for (int i = 0; i < operand->rank; i++) {
    bool stretched = operand->dim[i] != result->dim[missing + i];
    index[i] = stretched ? mlirAffineConstantExprGet(context, 0)
                         : mlirAffineDimExprGet(context, missing + i);
  }
  return mlirAffineMapGet(context, result->rank, 0, operand->rank, index);
}

static bool in_body(const assay_node *operand) {
  return assay_node_scalar(operand) != NULL;
}

// The body: constants among the operands, f16 widened, the element, and it narrowed.
static MlirValue compute(const assay_builder *body, const MlirValue elements[], const void *data) {
  const assay_emission *emission = data;
  const assay_node *node = emission->node;
  MlirContext context = body->context;
  MlirValue x[ASSAY_MAX_OPERANDS];
  int input = 0, last = node->operand_count - 1;
  assert(last >= 0 && last < ASSAY_MAX_OPERANDS);
  for (int i = 0; i < node->operand_count; i++) {
    const assay_node *operand = emission->operand[i];
    if (in_body(operand))
      x[i] = assay_builder_constant(
          body, assay_dtype_number(context, operand->dtype, operand->attribute.scalar));
    else
      x[i] = elements[input++];
    if (operand->dtype == ASSAY_F16)
      x[i] =
          assay_builder_apply(body, "arith.extf", assay_dtype_type(context, ASSAY_F32), 1, &x[i]);
  }
  assay_element element = {.builder = body,
                           .node = node,
                           .operand = emission->operand,
                           .x = x,
                           .dtype = widen(emission->operand[last]->dtype),
                           .type = assay_dtype_type(context, widen(node->dtype))};
  MlirValue result = node->operation->element(&element);
  MlirType type = assay_dtype_type(context, node->dtype);
  if (mlirTypeEqual(mlirValueGetType(result), type))
    return result;
  return assay_builder_apply(body, "arith.truncf", type, 1, &result);
}

MlirValue assay_elementwise_emit(const assay_emission *emission) {
  const assay_node *node = emission->node;
  const assay_builder *builder = emission->builder;
  MlirContext context = builder->context;
  MlirValue inputs[ASSAY_MAX_OPERANDS];
  MlirAffineMap maps[ASSAY_MAX_OPERANDS + 1];
  int count = 0;
  for (int i = 0; i < node->operand_count; i++) {
    if (in_body(emission->operand[i]))
      continue;
    inputs[count] = emission->value[i];
    maps[count++] = broadcast_map(context, &emission->operand[i]->shape, &node->shape);
  }
  maps[count] = mlirAffineMapMultiDimIdentityGet(context, node->shape.rank);
  return assay_linalg_loops(
      builder, &(assay_loops){.input_count = count,
                              .inputs = inputs,
                              .maps = maps,
                              .reduction = -1,
                              .init = assay_builder_empty(builder, assay_node_type(context, node)),
                              .body = compute,
                              .data = emission});
}

MlirValue assay_element_apply(const assay_element *element, const char *floating,
                              const char *integer, const char *boolean) {
  const char *name = integer;
  if (assay_dtype_get(element->dtype)->floating)
    name = floating;
  else if (element->dtype == ASSAY_BOOL)
    name = boolean;
  assert(name != NULL);
  return assay_builder_apply(element->builder, name, element->type, element->node->operand_count,
                             element->x);
}

MlirValue assay_element_number(const assay_element *element, int number) {
  assay_scalar scalar = {.integer = number, .real = number};
  return assay_builder_constant(
      element->builder, assay_dtype_number(element->builder->context, element->dtype, scalar));
}
