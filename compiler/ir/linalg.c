// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/linalg.h"

#include <assert.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/Linalg.h>

enum { MAX_RANK = 16 }; // well above what the compiler makes; asserted

// A linalg operation's operands are its inputs, then the tensor that it writes.
static MlirOperation add_structured(const assay_builder *builder, const char *name, int input_count,
                                    const MlirValue inputs[], MlirValue init, int attribute_count,
                                    const MlirNamedAttribute attributes[]) {
  assert(input_count >= 0 && input_count <= ASSAY_MAX_LINALG_INPUTS);
  MlirValue operands[ASSAY_MAX_LINALG_INPUTS + 1];
  for (int i = 0; i < input_count; i++)
    operands[i] = inputs[i];
  operands[input_count] = init;
  MlirType type = mlirValueGetType(init);
  return assay_builder_add(builder, &(assay_recipe){.name = name,
                                                    .operand_count = input_count + 1,
                                                    .operands = operands,
                                                    .attribute_count = attribute_count,
                                                    .attributes = attributes,
                                                    .result_count = 1,
                                                    .results = &type,
                                                    .region_count = 1});
}

// Which operands are inputs: said by an attribute where an operation may have any number of them.
static MlirNamedAttribute segment(const assay_builder *builder, int input_count) {
  int32_t sizes[] = {input_count, 1};
  return assay_builder_attribute(builder, "operandSegmentSizes",
                                 mlirDenseI32ArrayGet(builder->context, 2, sizes));
}

MlirValue assay_linalg_named(const assay_builder *builder, const char *name, int input_count,
                             const MlirValue inputs[], MlirValue init) {
  MlirNamedAttribute segments = segment(builder, input_count);
  MlirOperation operation = add_structured(builder, name, input_count, inputs, init, 1, &segments);
  mlirLinalgFillBuiltinNamedOpRegion(operation);
  return mlirOperationGetResult(operation, 0);
}

MlirValue assay_linalg_transpose(const assay_builder *builder, MlirValue input, MlirType type,
                                 const int64_t permutation[]) {
  int rank = (int)mlirShapedTypeGetRank(type);
  MlirNamedAttribute axes = assay_builder_numbers(builder, "permutation", rank, permutation);
  MlirOperation operation = add_structured(builder, "linalg.transpose", 1, &input,
                                           assay_builder_empty(builder, type), 1, &axes);
  mlirLinalgFillBuiltinNamedOpRegion(operation);
  return mlirOperationGetResult(operation, 0);
}

MlirValue assay_linalg_full(const assay_builder *builder, MlirType type, MlirAttribute number) {
  MlirValue value = assay_builder_constant(builder, number);
  return assay_linalg_named(builder, "linalg.fill", 1, &value, assay_builder_empty(builder, type));
}

MlirValue assay_linalg_zeros(const assay_builder *builder, MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirAttribute zero = mlirTypeIsAInteger(element)
                           ? mlirIntegerAttrGet(element, 0)
                           : mlirFloatAttrDoubleGet(builder->context, element, 0.0);
  return assay_linalg_full(builder, type, zero);
}

static void fill_body(const assay_builder *builder, MlirOperation generic,
                      const assay_loops *loops) {
  MlirType types[ASSAY_MAX_LINALG_INPUTS + 1];
  MlirLocation locations[ASSAY_MAX_LINALG_INPUTS + 1];
  int count = loops->input_count;
  for (int i = 0; i <= count; i++) {
    MlirValue tensor = i < count ? loops->inputs[i] : loops->init;
    types[i] = mlirShapedTypeGetElementType(mlirValueGetType(tensor));
    locations[i] = builder->location;
  }
  MlirBlock block = mlirBlockCreate(count + 1, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(generic, 0), block);
  MlirValue elements[ASSAY_MAX_LINALG_INPUTS + 1];
  for (int i = 0; i <= count; i++)
    elements[i] = mlirBlockGetArgument(block, i);
  assay_builder body = {builder->context, block, builder->location};
  MlirValue result = loops->body(&body, elements, loops->data);
  assay_builder_add(
      &body, &(assay_recipe){.name = "linalg.yield", .operand_count = 1, .operands = &result});
}

static MlirAttribute iterator_types(const assay_builder *builder, const assay_loops *loops) {
  intptr_t count = mlirAffineMapGetNumDims(loops->maps[loops->input_count]);
  assert(count <= MAX_RANK);
  MlirAttribute iterators[MAX_RANK];
  for (intptr_t i = 0; i < count; i++) {
    const char *kind = i == loops->reduction ? "#linalg.iterator_type<reduction>"
                                             : "#linalg.iterator_type<parallel>";
    iterators[i] = mlirAttributeParseGet(builder->context, mlirStringRefCreateFromCString(kind));
  }
  return mlirArrayAttrGet(builder->context, count, iterators);
}

MlirValue assay_linalg_loops(const assay_builder *builder, const assay_loops *loops) {
  int count = loops->input_count;
  assert(count >= 0 && count <= ASSAY_MAX_LINALG_INPUTS);
  MlirAttribute maps[ASSAY_MAX_LINALG_INPUTS + 1];
  for (int i = 0; i <= count; i++)
    maps[i] = mlirAffineMapAttrGet(loops->maps[i]);
  MlirNamedAttribute attributes[] = {
      segment(builder, count),
      assay_builder_attribute(builder, "indexing_maps",
                              mlirArrayAttrGet(builder->context, count + 1, maps)),
      assay_builder_attribute(builder, "iterator_types", iterator_types(builder, loops)),
  };
  MlirOperation generic =
      add_structured(builder, "linalg.generic", count, loops->inputs, loops->init, 3, attributes);
  fill_body(builder, generic, loops);
  return mlirOperationGetResult(generic, 0);
}
