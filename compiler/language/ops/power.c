// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

#include <inttypes.h>

static MlirValue multiply(const assay_element *it, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return assay_builder_apply(it->builder, name, it->type, 2, operands);
}

// Squares and cubes by multiplication: at most two roundings, and no call for each element.
static MlirValue floating_element(const assay_element *it) {
  const assay_scalar *exponent = assay_node_scalar(it->operand[1]);
  if (exponent != NULL && (exponent->real == 2 || exponent->real == 3)) {
    MlirValue square = multiply(it, "arith.mulf", it->x[0], it->x[0]);
    return exponent->real == 2 ? square : multiply(it, "arith.mulf", square, it->x[0]);
  }
  return assay_element_apply(it, "math.powf", NULL, NULL);
}

// By squaring, for each element its own exponent. A negative one, which only an array can hold, is
// taken for 0.
static MlirValue element(const assay_element *it) {
  if (assay_dtype_get(it->dtype)->floating)
    return floating_element(it);
  MlirValue exponent = multiply(it, "arith.maxsi", it->x[1], assay_element_number(it, 0));
  return multiply(it, "math.ipowi", it->x[0], exponent);
}

static const assay_operation power = {
    .name = "power", .symbol = "**", .emit = assay_elementwise_emit, .element = element};

assay_value assay_power(assay_graph *graph, assay_value a, assay_value b) {
  const assay_value given[] = {a, b};
  assay_dtype dtype;
  if (!assay_elementwise_promote(graph, &power, &a, &b, &dtype))
    return ASSAY_NO_VALUE;
  if (dtype == ASSAY_BOOL)
    return assay_operands_reject(graph, &power, 2, given,
                                 "bool ** bool is int8 in NumPy, which the language lacks");
  const assay_scalar *exponent = assay_node_scalar(assay_graph_operand(graph, &power, b));
  if (!assay_dtype_get(dtype)->floating && exponent != NULL && exponent->integer < 0)
    return assay_operands_reject(graph, &power, 2, given,
                                 "integers have no negative integer powers, found %" PRId64,
                                 exponent->integer);
  return assay_elementwise(graph, &power, dtype, 2, (assay_value[]){a, b});
}
