// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/lanes.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <stdlib.h>

MlirType assay_lanes_type(const assay_lanes *lanes, MlirType element) {
  return lanes->count == 0 ? element : mlirVectorTypeGet(1, &lanes->count, element);
}

MlirType assay_lanes_f64(const assay_lanes *lanes) {
  return assay_lanes_type(lanes, mlirF64TypeGet(lanes->builder.context));
}

MlirType assay_lanes_i64(const assay_lanes *lanes) {
  return assay_lanes_type(lanes, mlirIntegerTypeGet(lanes->builder.context, 64));
}

int64_t assay_lanes_of(MlirType type) {
  if (!mlirTypeIsAVector(type))
    return 0;
  if (mlirShapedTypeGetRank(type) != 1 || mlirVectorTypeIsScalable(type))
    return -1;
  return mlirShapedTypeGetDimSize(type, 0);
}

MlirType assay_lanes_element(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

MlirValue assay_lanes_apply(const assay_lanes *lanes, const char *name, MlirType type, int count,
                            const MlirValue operands[]) {
  char full[64];
  snprintf(full, sizeof full, "llvm.%s", name);
  return assay_builder_apply(&lanes->builder, full, type, count, operands);
}

MlirValue assay_lanes_unary(const assay_lanes *lanes, const char *name, MlirType type,
                            MlirValue a) {
  return assay_lanes_apply(lanes, name, type, 1, &a);
}

MlirValue assay_lanes_binary(const assay_lanes *lanes, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return assay_lanes_apply(lanes, name, mlirValueGetType(a), 2, operands);
}

MlirValue assay_lanes_select(const assay_lanes *lanes, MlirValue condition, MlirValue a,
                             MlirValue b) {
  MlirValue operands[] = {condition, a, b};
  return assay_lanes_apply(lanes, "select", mlirValueGetType(a), 3, operands);
}

MlirValue assay_lanes_compare(const assay_lanes *lanes, const char *name, int predicate,
                              MlirValue a, MlirValue b) {
  const assay_builder *builder = &lanes->builder;
  MlirType i1 = assay_lanes_type(lanes, mlirIntegerTypeGet(builder->context, 1));
  MlirType i64 = mlirIntegerTypeGet(builder->context, 64);
  MlirNamedAttribute attribute =
      assay_builder_attribute(builder, "predicate", mlirIntegerAttrGet(i64, predicate));
  MlirValue operands[] = {a, b};
  char full[64];
  snprintf(full, sizeof full, "llvm.%s", name);
  return assay_builder_add_value(builder, &(assay_recipe){.name = full,
                                                          .operand_count = 2,
                                                          .operands = operands,
                                                          .attribute_count = 1,
                                                          .attributes = &attribute,
                                                          .result_count = 1,
                                                          .results = &i1});
}

MlirValue assay_lanes_and(const assay_lanes *lanes, MlirValue a, MlirValue b) {
  return assay_lanes_binary(lanes, "and", a, b);
}

static MlirValue constant(const assay_lanes *lanes, MlirType element, MlirAttribute value) {
  MlirType type = assay_lanes_type(lanes, element);
  if (lanes->count > 0)
    value = mlirDenseElementsAttrSplatGet(type, value);
  MlirNamedAttribute attribute = assay_builder_attribute(&lanes->builder, "value", value);
  return assay_builder_add_value(&lanes->builder, &(assay_recipe){.name = "llvm.mlir.constant",
                                                                  .attribute_count = 1,
                                                                  .attributes = &attribute,
                                                                  .result_count = 1,
                                                                  .results = &type});
}

MlirValue assay_lanes_real(const assay_lanes *lanes, double value) {
  MlirContext context = lanes->builder.context;
  MlirType f64 = mlirF64TypeGet(context);
  return constant(lanes, f64, mlirFloatAttrDoubleGet(context, f64, value));
}

MlirValue assay_lanes_integer(const assay_lanes *lanes, MlirType element, int64_t value) {
  return constant(lanes, element, mlirIntegerAttrGet(element, value));
}

MlirValue assay_lanes_whole(const assay_lanes *lanes, uint64_t value) {
  MlirType i64 = mlirIntegerTypeGet(lanes->builder.context, 64);
  return assay_lanes_integer(lanes, i64, (int64_t)value);
}

// A number of lane 0 among scalars, whatever the lanes are.
static MlirValue lane_number(const assay_lanes *lanes, int64_t lane) {
  const assay_lanes scalar = {.builder = lanes->builder};
  return assay_lanes_whole(&scalar, (uint64_t)lane);
}

MlirValue assay_lanes_take(const assay_lanes *lanes, MlirValue vector, int64_t lane) {
  MlirType type = mlirValueGetType(vector);
  if (!mlirTypeIsAVector(type))
    return vector;
  MlirValue operands[] = {vector, lane_number(lanes, lane)};
  return assay_lanes_apply(lanes, "extractelement", assay_lanes_element(type), 2, operands);
}

MlirValue assay_lanes_put(const assay_lanes *lanes, MlirValue vector, MlirValue scalar,
                          int64_t lane) {
  MlirType type = mlirValueGetType(vector);
  if (!mlirTypeIsAVector(type))
    return scalar;
  MlirValue operands[] = {vector, scalar, lane_number(lanes, lane)};
  return assay_lanes_apply(lanes, "insertelement", type, 3, operands);
}

MlirValue assay_lanes_poison(const assay_lanes *lanes, MlirType type) {
  return assay_lanes_apply(lanes, "mlir.poison", type, 0, NULL);
}

MlirValue assay_lanes_splat(const assay_lanes *lanes, MlirValue scalar) {
  if (lanes->count == 0)
    return scalar;
  MlirType type = assay_lanes_type(lanes, mlirValueGetType(scalar));
  MlirValue poison = assay_lanes_poison(lanes, type);
  MlirValue operands[] = {assay_lanes_put(lanes, poison, scalar, 0), poison};
  int32_t *zeros = calloc((size_t)lanes->count, sizeof *zeros);
  if (zeros == NULL)
    abort();
  MlirNamedAttribute mask = assay_builder_attribute(
      &lanes->builder, "mask", mlirDenseI32ArrayGet(lanes->builder.context, lanes->count, zeros));
  free(zeros);
  return assay_builder_add_value(&lanes->builder, &(assay_recipe){.name = "llvm.shufflevector",
                                                                  .operand_count = 2,
                                                                  .operands = operands,
                                                                  .attribute_count = 1,
                                                                  .attributes = &mask,
                                                                  .result_count = 1,
                                                                  .results = &type});
}
