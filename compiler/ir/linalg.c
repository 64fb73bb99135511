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
  assert(input_count <= ASSAY_MAX_LINALG_INPUTS);
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

MlirValue assay_linalg_zeros(const assay_builder *builder, MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  MlirAttribute value = mlirTypeIsAInteger(element)
                            ? mlirIntegerAttrGet(element, 0)
                            : mlirFloatAttrDoubleGet(builder->context, element, 0.0);
  MlirValue zero = assay_builder_constant(builder, value);
  MlirValue empty = assay_builder_empty(builder, type);
  return assay_linalg_named(builder, "linalg.fill", 1, &zero, empty);
}

// The loop body: the operation on the elements and a yield. The last block argument, the element to
// be overwritten, stays unused.
static void fill_body(const assay_builder *builder, MlirOperation generic,
                      const assay_elementwise *elementwise) {
  MlirType types[ASSAY_MAX_LINALG_INPUTS + 1];
  MlirLocation locations[ASSAY_MAX_LINALG_INPUTS + 1];
  int count = elementwise->input_count;
  for (int i = 0; i <= count; i++) {
    MlirType tensor = i < count ? mlirValueGetType(elementwise->inputs[i]) : elementwise->type;
    types[i] = mlirShapedTypeGetElementType(tensor);
    locations[i] = builder->location;
  }
  MlirBlock block = mlirBlockCreate(count + 1, types, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(generic, 0), block);
  MlirValue elements[ASSAY_MAX_LINALG_INPUTS];
  for (int i = 0; i < count; i++)
    elements[i] = mlirBlockGetArgument(block, i);
  assay_builder inside = {builder->context, block, builder->location};
  MlirValue result =
      assay_builder_add_value(&inside, &(assay_recipe){.name = elementwise->operation,
                                                       .operand_count = count,
                                                       .operands = elements,
                                                       .result_count = 1,
                                                       .results = &types[count]});
  assay_builder_add(
      &inside, &(assay_recipe){.name = "linalg.yield", .operand_count = 1, .operands = &result});
}

MlirValue assay_linalg_elementwise(const assay_builder *builder,
                                   const assay_elementwise *elementwise) {
  intptr_t rank = mlirShapedTypeGetRank(elementwise->type);
  int count = elementwise->input_count;
  assert(count <= ASSAY_MAX_LINALG_INPUTS && rank <= MAX_RANK);
  MlirAttribute maps[ASSAY_MAX_LINALG_INPUTS + 1], iterators[MAX_RANK];
  for (int i = 0; i < count; i++)
    maps[i] = mlirAffineMapAttrGet(elementwise->maps[i]);
  maps[count] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(builder->context, rank));
  MlirStringRef parallel = mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>");
  for (intptr_t i = 0; i < rank; i++)
    iterators[i] = mlirAttributeParseGet(builder->context, parallel);
  MlirNamedAttribute attributes[] = {
      segment(builder, count),
      assay_builder_attribute(builder, "indexing_maps",
                              mlirArrayAttrGet(builder->context, count + 1, maps)),
      assay_builder_attribute(builder, "iterator_types",
                              mlirArrayAttrGet(builder->context, rank, iterators)),
  };
  MlirOperation generic =
      add_structured(builder, "linalg.generic", count, elementwise->inputs,
                     assay_builder_empty(builder, elementwise->type), 3, attributes);
  fill_body(builder, generic, elementwise);
  return mlirOperationGetResult(generic, 0);
}
