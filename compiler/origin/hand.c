// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/hand.h"

#include "compiler/ir/walk.h"
#include "compiler/origin/kinds.h"
#include "compiler/origin/structs.h"
#include "compiler/rounding/lanes.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>

void assay_hand_call(const assay_builder *at, const char *name, int count,
                     const MlirValue arguments[]) {
  const int32_t segments[] = {count, 0};
  MlirStringRef callee = mlirStringRefCreateFromCString(name);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "callee", mlirFlatSymbolRefAttrGet(at->context, callee)),
      assay_builder_attribute(at, "operandSegmentSizes",
                              mlirDenseI32ArrayGet(at->context, 2, segments)),
      assay_builder_attribute(at, "op_bundle_sizes", mlirDenseI32ArrayGet(at->context, 0, NULL)),
  };
  assay_builder_add(at, &(assay_recipe){.name = "llvm.call",
                                        .operand_count = count,
                                        .operands = arguments,
                                        .attribute_count = 3,
                                        .attributes = attributes});
}

void assay_hand_lanes(const assay_builder *at, MlirValue to, MlirValue from, int lanes) {
  const assay_lanes scalar = {.builder = *at};
  const MlirValue arguments[] = {to, from, assay_lanes_whole(&scalar, (uint64_t)lanes)};
  assay_hand_call(at, ASSAY_SHADOW_HAND, 3, arguments);
}

static void hand_part(assay_slots *slots, const assay_builder *at, MlirOperation operation,
                      bool inserts) {
  assay_slot whole, part, result;
  MlirValue made = mlirOperationGetResult(operation, 0);
  MlirValue from = mlirOperationGetOperand(operation, 0);
  MlirAttribute position =
      mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString("position"));
  int lane = assay_fields_lane_at(mlirValueGetType(from), position);
  if (!assay_slots_of(slots, from, &whole) || !assay_slots_of(slots, made, &result))
    return;
  MlirValue inserted = inserts ? mlirOperationGetOperand(operation, 1) : made;
  int lanes = assay_fields_lanes(mlirValueGetType(made));
  if (inserts)
    assay_hand_lanes(at, result.memory, whole.memory, lanes);
  if (lane < 0 || !assay_slots_of(slots, inserted, &part))
    return;
  MlirValue outer = inserts ? result.memory : whole.memory;
  MlirValue place = assay_field_advance(at, outer, (int64_t)lane * ASSAY_SHADOW_BYTES);
  assay_hand_lanes(at, inserts ? place : part.memory, inserts ? part.memory : place,
                   assay_fields_lanes(mlirValueGetType(inserted)));
}

static void hand_chosen(assay_slots *slots, const assay_builder *at, MlirOperation operation) {
  assay_slot result, from[2];
  MlirValue made = mlirOperationGetResult(operation, 0);
  MlirValue choice[3] = {mlirOperationGetOperand(operation, 0)};
  assay_slots_of(slots, made, &result);
  for (int i = 0; i < 2; i++) {
    assay_slots_of(slots, mlirOperationGetOperand(operation, 1 + i), &from[i]);
    choice[1 + i] = from[i].memory;
  }
  MlirType pointer = mlirLLVMPointerTypeGet(at->context, 0);
  MlirValue chosen = assay_builder_apply(at, "llvm.select", pointer, 3, choice);
  assay_hand_lanes(at, result.memory, chosen, assay_fields_lanes(mlirValueGetType(made)));
}

static MlirOperation maker_of(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

// Two that are equal, put together bit by bit so that the zero of the right sign comes out: each is
// as good as the choice's other operand, and has a shadow.
static bool hand_equal(assay_slots *slots, const assay_builder *at, MlirOperation operation) {
  MlirOperation compare = maker_of(mlirOperationGetOperand(operation, 0));
  MlirOperation bits = maker_of(mlirOperationGetOperand(operation, 1));
  assay_slot result, other;
  if (mlirOperationIsNull(compare) || mlirOperationIsNull(bits) ||
      !assay_operation_is(compare, "llvm.fcmp") || !assay_operation_is(bits, "llvm.bitcast") ||
      mlirIntegerAttrGetValueInt(mlirOperationGetAttributeByName(
          compare, mlirStringRefCreateFromCString("predicate"))) != ASSAY_FCMP_OEQ ||
      !assay_slots_of(slots, mlirOperationGetOperand(operation, 2), &other) ||
      !assay_slots_of(slots, mlirOperationGetResult(operation, 0), &result))
    return false;
  assay_hand_lanes(at, result.memory, other.memory,
                   assay_fields_lanes(mlirValueGetType(result.value)));
  return true;
}

bool assay_hand_on(assay_slots *slots, const assay_builder *at, MlirOperation operation) {
  bool extracts = assay_operation_is(operation, "llvm.extractvalue");
  bool inserts = assay_operation_is(operation, "llvm.insertvalue");
  if (extracts || inserts) {
    hand_part(slots, at, operation, inserts);
    return true;
  }
  if (assay_operation_is(operation, "llvm.select") && hand_equal(slots, at, operation))
    return true;
  if (assay_operation_is(operation, "llvm.select") && assay_kind_chosen(operation) == 0 &&
      mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetOperand(operation, 0)))) {
    hand_chosen(slots, at, operation);
    return true;
  }
  assay_slot result, from;
  if (!assay_operation_is(operation, "llvm.freeze") ||
      !assay_slots_of(slots, mlirOperationGetOperand(operation, 0), &from) ||
      !assay_slots_of(slots, mlirOperationGetResult(operation, 0), &result))
    return false;
  assay_hand_lanes(at, result.memory, from.memory,
                   assay_fields_lanes(mlirValueGetType(result.value)));
  return true;
}
