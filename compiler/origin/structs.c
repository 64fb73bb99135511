// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/structs.h"

#include "compiler/origin/payload.h"
#include "compiler/origin/slots.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>

typedef struct listing {
  assay_field *fields;
  int count, lanes;
} listing;

static int lanes_of(assay_origin_type type) {
  return type.lanes == 0 ? 1 : type.lanes;
}

static void list(listing *it, MlirType type, const assay_field *above) {
  if (mlirTypeIsALLVMStructType(type)) {
    bool is_known = above->depth < ASSAY_FIELD_DEPTH && !mlirLLVMStructTypeIsOpaque(type);
    for (intptr_t i = 0; is_known && i < mlirLLVMStructTypeGetNumElementTypes(type); i++) {
      assay_field inner = *above;
      inner.position[inner.depth++] = i;
      list(it, mlirLLVMStructTypeGetElementType(type, i), &inner);
    }
    return;
  }
  assay_origin_type leaf = assay_slots_type(type);
  if (it->count == ASSAY_FIELDS || assay_payload_of(leaf.format) == NULL)
    return;
  it->fields[it->count] = *above;
  it->fields[it->count].of = type;
  it->fields[it->count].type = leaf;
  it->fields[it->count++].lane = it->lanes;
  it->lanes += lanes_of(leaf);
}

static listing list_all(MlirType type, assay_field fields[ASSAY_FIELDS]) {
  const assay_field top = {.depth = 0};
  listing it = {.fields = fields};
  list(&it, type, &top);
  return it;
}

int assay_fields_of(MlirType type, assay_field out_fields[ASSAY_FIELDS]) {
  return list_all(type, out_fields).count;
}

int assay_fields_lanes(MlirType type) {
  assay_field fields[ASSAY_FIELDS];
  return list_all(type, fields).lanes;
}

// In an array its elements' lanes are counted, in a structure what its fields before have.
int assay_fields_lane_at(MlirType type, MlirAttribute position) {
  int64_t lane = 0, at[ASSAY_FIELD_DEPTH];
  intptr_t depth = mlirDenseArrayGetNumElements(position), structs = 0;
  MlirType whole = type;
  for (; structs < depth && mlirTypeIsALLVMStructType(type); structs++) {
    if (structs == ASSAY_FIELD_DEPTH)
      return -1;
    at[structs] = mlirDenseI64ArrayGetElement(position, structs);
    type = mlirLLVMStructTypeGetElementType(type, (intptr_t)at[structs]);
  }
  assay_field fields[ASSAY_FIELDS];
  int count = assay_fields_of(whole, fields), found = -1;
  for (int i = 0; i < count && found < 0; i++) {
    bool same = fields[i].depth >= structs;
    for (intptr_t k = 0; same && k < structs; k++)
      same = fields[i].position[k] == at[k];
    found = same ? i : -1;
  }
  if (found < 0)
    return -1;
  for (intptr_t i = structs; i < depth; i++) {
    if (mlirTypeIsALLVMStructType(type))
      return -1;
    type = mlirLLVMArrayTypeGetElementType(type);
    lane += mlirDenseI64ArrayGetElement(position, i) * lanes_of(assay_slots_type(type));
  }
  return fields[found].lane + (int)lane;
}

MlirValue assay_field_value(const assay_builder *at, const assay_field *field, MlirValue whole) {
  if (field->depth == 0)
    return whole;
  MlirNamedAttribute position = assay_builder_attribute(
      at, "position", mlirDenseI64ArrayGet(at->context, field->depth, field->position));
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.extractvalue",
                                                     .operand_count = 1,
                                                     .operands = &whole,
                                                     .attribute_count = 1,
                                                     .attributes = &position,
                                                     .result_count = 1,
                                                     .results = &field->of});
}

static MlirValue offset(const assay_builder *at, MlirType element, MlirValue pointer, int count,
                        const int32_t indices[]) {
  MlirType type = mlirLLVMPointerTypeGet(at->context, 0);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "elem_type", mlirTypeAttrGet(element)),
      assay_builder_attribute(at, "rawConstantIndices",
                              mlirDenseI32ArrayGet(at->context, count, indices)),
  };
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.getelementptr",
                                                     .operand_count = 1,
                                                     .operands = &pointer,
                                                     .attribute_count = 2,
                                                     .attributes = attributes,
                                                     .result_count = 1,
                                                     .results = &type});
}

MlirValue assay_field_address(const assay_builder *at, const assay_field *field, MlirType whole,
                              MlirValue address) {
  int32_t indices[1 + ASSAY_FIELD_DEPTH] = {0};
  for (int i = 0; i < field->depth; i++)
    indices[1 + i] = (int32_t)field->position[i];
  return field->depth == 0 ? address : offset(at, whole, address, 1 + field->depth, indices);
}

MlirValue assay_field_advance(const assay_builder *at, MlirValue pointer, int64_t bytes) {
  const int32_t by = (int32_t)bytes;
  return bytes == 0 ? pointer : offset(at, mlirIntegerTypeGet(at->context, 8), pointer, 1, &by);
}
