// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/builder.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

assay_builder assay_builder_aside(MlirOperation operation) {
  return (assay_builder){.context = mlirOperationGetContext(operation),
                         .block = mlirBlockCreate(0, NULL, NULL),
                         .location = mlirOperationGetLocation(operation)};
}

void assay_builder_place(const assay_builder *aside, MlirOperation operation) {
  for (;;) {
    MlirOperation first = mlirBlockGetFirstOperation(aside->block);
    if (mlirOperationIsNull(first))
      break;
    mlirOperationMoveBefore(first, operation);
  }
  mlirBlockDestroy(aside->block);
}

void assay_builder_replace(const assay_builder *aside, MlirOperation operation, MlirValue by) {
  assay_builder_place(aside, operation);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(operation, 0), by);
  mlirOperationDestroy(operation);
}

MlirOperation assay_builder_add(const assay_builder *builder, const assay_recipe *recipe) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(recipe->name), builder->location);
  mlirOperationStateAddOperands(&state, recipe->operand_count, recipe->operands);
  mlirOperationStateAddAttributes(&state, recipe->attribute_count, recipe->attributes);
  mlirOperationStateAddResults(&state, recipe->result_count, recipe->results);
  for (int i = 0; i < recipe->region_count; i++) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation operation = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(builder->block, operation);
  return operation;
}

MlirValue assay_builder_add_value(const assay_builder *builder, const assay_recipe *recipe) {
  return mlirOperationGetResult(assay_builder_add(builder, recipe), 0);
}

MlirValue assay_builder_apply(const assay_builder *builder, const char *name, MlirType type,
                              int count, const MlirValue operands[]) {
  return assay_builder_add_value(builder, &(assay_recipe){.name = name,
                                                          .operand_count = count,
                                                          .operands = operands,
                                                          .result_count = 1,
                                                          .results = &type});
}

MlirValue assay_builder_compare(const assay_builder *builder, int predicate, MlirValue a,
                                MlirValue b) {
  MlirContext context = builder->context;
  MlirType i1 = mlirIntegerTypeGet(context, 1);
  MlirNamedAttribute attribute = assay_builder_attribute(
      builder, "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), predicate));
  MlirValue operands[] = {a, b};
  bool floating = mlirTypeIsAFloat(mlirValueGetType(a));
  return assay_builder_add_value(builder,
                                 &(assay_recipe){.name = floating ? "arith.cmpf" : "arith.cmpi",
                                                 .operand_count = 2,
                                                 .operands = operands,
                                                 .attribute_count = 1,
                                                 .attributes = &attribute,
                                                 .result_count = 1,
                                                 .results = &i1});
}

MlirNamedAttribute assay_builder_attribute(const assay_builder *builder, const char *name,
                                           MlirAttribute value) {
  MlirStringRef text = mlirStringRefCreateFromCString(name);
  return mlirNamedAttributeGet(mlirIdentifierGet(builder->context, text), value);
}

MlirNamedAttribute assay_builder_numbers(const assay_builder *builder, const char *name, int count,
                                         const int64_t numbers[]) {
  return assay_builder_attribute(builder, name,
                                 mlirDenseI64ArrayGet(builder->context, count, numbers));
}

MlirValue assay_builder_constant(const assay_builder *builder, MlirAttribute value) {
  MlirNamedAttribute attribute = assay_builder_attribute(builder, "value", value);
  MlirType type = mlirAttributeGetType(value);
  return assay_builder_add_value(builder, &(assay_recipe){.name = "arith.constant",
                                                          .attribute_count = 1,
                                                          .attributes = &attribute,
                                                          .result_count = 1,
                                                          .results = &type});
}

MlirValue assay_builder_empty(const assay_builder *builder, MlirType type) {
  return assay_builder_add_value(
      builder, &(assay_recipe){.name = "tensor.empty", .result_count = 1, .results = &type});
}

MlirValue assay_builder_call(const assay_builder *at, const char *name, MlirType result, int count,
                             const MlirValue arguments[]) {
  const int32_t segments[] = {count, 0};
  MlirStringRef callee = mlirStringRefCreateFromCString(name);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "callee", mlirFlatSymbolRefAttrGet(at->context, callee)),
      assay_builder_attribute(at, "operandSegmentSizes",
                              mlirDenseI32ArrayGet(at->context, 2, segments)),
      assay_builder_attribute(at, "op_bundle_sizes", mlirDenseI32ArrayGet(at->context, 0, NULL)),
  };
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.call",
                                                     .operand_count = count,
                                                     .operands = arguments,
                                                     .attribute_count = 3,
                                                     .attributes = attributes,
                                                     .result_count = 1,
                                                     .results = &result});
}
