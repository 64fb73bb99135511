// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/checks/plant.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

enum { EQUAL = 0, UNEQUAL = 1, SIGNED_LESS = 2, UNSIGNED_LESS = 6 }; // of arith.cmpi

MlirAttribute plant_attribute(MlirOperation operation, const char *name) {
  return mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString(name));
}

static MlirType type_of(MlirOperation operation) {
  return mlirValueGetType(mlirOperationGetResult(operation, 0));
}

MlirValue plant_number(const assay_builder *at, MlirType type, int64_t value) {
  return assay_builder_constant(at, mlirIntegerAttrGet(type, value));
}

MlirValue plant_thread_id(const assay_builder *at, const char *name) {
  MlirNamedAttribute dimension = assay_builder_attribute(
      at, "dimension",
      mlirAttributeParseGet(at->context, mlirStringRefCreateFromCString("#gpu<dim x>")));
  MlirType index = mlirIndexTypeGet(at->context);
  return assay_builder_add_value(at, &(assay_recipe){.name = name,
                                                     .attribute_count = 1,
                                                     .attributes = &dimension,
                                                     .result_count = 1,
                                                     .results = &index});
}

static MlirValue selects(const planter *it, const assay_builder *at, int predicate, int wanted) {
  return assay_builder_compare(
      at, predicate, it->selected,
      plant_number(at, mlirIntegerTypeGet(at->context, 32), (int64_t)wanted));
}

static MlirValue choose(const assay_builder *at, MlirValue condition, MlirValue then,
                        MlirValue otherwise) {
  MlirValue operands[] = {condition, then, otherwise};
  return assay_builder_apply(at, "arith.select", mlirValueGetType(then), 3, operands);
}

MlirValue plant_combine(const assay_builder *at, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return assay_builder_apply(at, name, mlirValueGetType(a), 2, operands);
}

// A branch without a way besides: a builder of what it does, which is to be ended by its yield.
static assay_builder branch(const assay_builder *at, MlirValue condition,
                            MlirOperation *out_yield) {
  MlirOperation made = assay_builder_add(
      at, &(assay_recipe){
              .name = "scf.if", .operand_count = 1, .operands = &condition, .region_count = 2});
  assay_builder inside = *at;
  inside.block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(made, 0), inside.block);
  *out_yield = assay_builder_add(&inside, &(assay_recipe){.name = "scf.yield"});
  return inside;
}

// Notes that this thread does otherwise for the mutant, where the condition holds.
static void mark(const planter *it, const assay_builder *at, MlirValue condition) {
  MlirOperation yield;
  branch(at, condition, &yield);
  assay_builder note = assay_builder_aside(yield);
  MlirValue stored[] = {it->selected, it->marks, it->own};
  assay_builder_add(
      &note, &(assay_recipe){.name = "memref.store", .operand_count = 3, .operands = stored});
  assay_builder_place(&note, yield);
}

// Whether the mutant, which is new, is selected; noted.
static MlirValue begin_mutant(const planter *it, const assay_builder *at, mutation kind) {
  MlirValue wrong = selects(it, at, EQUAL, mutate_add(it, kind));
  mark(it, at, wrong);
  return wrong;
}

// A builder of operations right after another one, which has one after it.
static assay_builder after(MlirOperation operation) {
  return assay_builder_aside(mlirOperationGetNextInBlock(operation));
}

// Ends the builder: what used the operation's result uses the value, but for what makes that.
static void replace(const assay_builder *at, MlirOperation operation, MlirValue value) {
  MlirOperation next = mlirOperationGetNextInBlock(operation);
  assay_builder_place(at, next);
  MlirOperation maker = mlirOpResultGetOwner(value);
  mlirValueReplaceAllUsesExcept(mlirOperationGetResult(operation, 0), value, 1, &maker);
}

// The operation happens unless the mutant is selected.
static void leave_out(const planter *it, MlirOperation operation, mutation kind) {
  assay_builder at = assay_builder_aside(operation);
  begin_mutant(it, &at, kind);
  MlirOperation yield;
  branch(&at, selects(it, &at, UNEQUAL, mutate_found()->count), &yield);
  assay_builder_place(&at, operation);
  mlirOperationMoveBefore(operation, yield);
}

static void plant_zero(const planter *it, MlirOperation load) {
  assay_builder at = after(load);
  MlirType type = type_of(load);
  MlirAttribute zero;
  if (mlirTypeIsAVector(type)) {
    MlirType element = mlirShapedTypeGetElementType(type);
    zero = mlirDenseElementsAttrSplatGet(type, mlirTypeIsAFloat(element)
                                                   ? mlirFloatAttrDoubleGet(at.context, element, 0)
                                                   : mlirIntegerAttrGet(element, 0));
  } else {
    zero = mlirTypeIsAFloat(type) ? mlirFloatAttrDoubleGet(at.context, type, 0)
                                  : mlirIntegerAttrGet(type, 0);
  }
  MlirValue wrong = begin_mutant(it, &at, MUTATE_LOAD);
  replace(&at, load,
          choose(&at, wrong, assay_builder_constant(&at, zero), mlirOperationGetResult(load, 0)));
}

// The last index of an access of shared memory goes on by what the access moves.
static void plant_offset(const planter *it, MlirOperation access, intptr_t memref) {
  MlirAttribute space =
      mlirMemRefTypeGetMemorySpace(mlirValueGetType(mlirOperationGetOperand(access, memref)));
  if (mlirAttributeIsNull(space))
    return;
  assay_builder at = assay_builder_aside(access);
  MlirType moved =
      memref == 0 ? type_of(access) : mlirValueGetType(mlirOperationGetOperand(access, 0));
  int64_t step = mlirTypeIsAVector(moved) ? mlirShapedTypeGetDimSize(moved, 0) : 1;
  intptr_t last = mlirOperationGetNumOperands(access) - 1;
  MlirValue index = mlirOperationGetOperand(access, last);
  MlirValue next =
      plant_combine(&at, "arith.addi", index, plant_number(&at, mlirValueGetType(index), step));
  MlirValue wrong = begin_mutant(it, &at, MUTATE_OFFSET);
  mlirOperationSetOperand(access, last, choose(&at, wrong, next, index));
  assay_builder_place(&at, access);
}

// Whether it decides what is done, not what is computed.
static bool is_guard(MlirOperation compare) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(compare, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!assay_operation_is(user, "scf.if") && !assay_operation_is(user, "arith.andi"))
      return false;
  }
  return true;
}

static void shift_operand(const planter *it, MlirOperation operation, intptr_t operand, int64_t by,
                          mutation kind) {
  assay_builder at = assay_builder_aside(operation);
  MlirValue bound = mlirOperationGetOperand(operation, operand);
  MlirValue other =
      plant_combine(&at, "arith.addi", bound, plant_number(&at, mlirValueGetType(bound), by));
  MlirValue wrong = begin_mutant(it, &at, kind);
  mlirOperationSetOperand(operation, operand, choose(&at, wrong, other, bound));
  assay_builder_place(&at, operation);
}

static void plant_guard(const planter *it, MlirOperation compare) {
  int64_t predicate = mlirIntegerAttrGetValueInt(plant_attribute(compare, "predicate"));
  if (!is_guard(compare) || (predicate != SIGNED_LESS && predicate != UNSIGNED_LESS))
    return;
  assay_builder at = after(compare);
  MlirValue a = mlirOperationGetOperand(compare, 0), bound = mlirOperationGetOperand(compare, 1);
  MlirType type = mlirValueGetType(bound);
  MlirValue right = assay_builder_compare(&at, (int)predicate, a, bound), chosen = right;
  for (int by = -1; by <= 1; by++) {
    static const mutation kinds[] = {MUTATE_GUARD_LOW, MUTATE_GUARD, MUTATE_GUARD_UP};
    MlirValue shifted = plant_combine(&at, "arith.addi", bound, plant_number(&at, type, by));
    MlirValue other = by == 0 ? plant_number(&at, mlirIntegerTypeGet(at.context, 1), 1)
                              : assay_builder_compare(&at, (int)predicate, a, shifted);
    MlirValue wrong = selects(it, &at, EQUAL, mutate_add(it, kinds[by + 1]));
    mark(it, &at,
         plant_combine(&at, "arith.andi", wrong, plant_combine(&at, "arith.xori", right, other)));
    chosen = choose(&at, wrong, other, chosen);
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(compare, 0), chosen);
  assay_builder_place(&at, mlirOperationGetNextInBlock(compare));
}

static void plant_loop(const planter *it, MlirOperation loop) {
  enum { UPPER = 1, STEP = 2 };
  int64_t upper, step;
  if (!assay_constant_read(mlirOperationGetOperand(loop, STEP), &step))
    return;
  if (assay_constant_read(mlirOperationGetOperand(loop, UPPER), &upper) && upper % step != 0)
    shift_operand(it, loop, UPPER, -(upper % step), MUTATE_REMAINDER);
  shift_operand(it, loop, UPPER, -step, MUTATE_LOOP_LOW);
  shift_operand(it, loop, UPPER, step, MUTATE_LOOP_UP);
}

// A quotient whose remainder the kernel takes too.
static void plant_axes(const planter *it, MlirOperation quotient) {
  MlirValue a = mlirOperationGetOperand(quotient, 0), b = mlirOperationGetOperand(quotient, 1);
  for (int i = 0; i < it->operations.count; i++) {
    MlirOperation rest = it->operations.items[i];
    if (!assay_operation_is(rest, "arith.remui") ||
        !mlirValueEqual(mlirOperationGetOperand(rest, 0), a) ||
        !mlirValueEqual(mlirOperationGetOperand(rest, 1), b))
      continue;
    int wanted = mutate_add(it, MUTATE_AXES);
    MlirOperation both[] = {quotient, rest};
    for (int j = 0; j < 2; j++) {
      assay_builder at = after(both[j]);
      mark(it, &at, selects(it, &at, EQUAL, wanted));
      MlirValue other = plant_combine(&at, j == 0 ? "arith.remui" : "arith.divui", a, b);
      replace(
          &at, both[j],
          choose(&at, selects(it, &at, EQUAL, wanted), other, mlirOperationGetResult(both[j], 0)));
    }
    return;
  }
}

// Blocks and threads are along x.
static void plant_id(const planter *it, MlirOperation id, const char *other) {
  assay_builder at = after(id);
  MlirValue value = plant_thread_id(&at, other), wrong = begin_mutant(it, &at, MUTATE_IDS);
  replace(&at, id, choose(&at, wrong, value, mlirOperationGetResult(id, 0)));
}

void plant_all(const planter *it, MlirOperation at) {
  if (assay_operation_is(at, "gpu.barrier")) {
    leave_out(it, at, MUTATE_BARRIER);
  } else if (assay_operation_is(at, "memref.load") || assay_operation_is(at, "vector.load")) {
    plant_offset(it, at, 0);
    plant_zero(it, at);
  } else if (assay_operation_is(at, "memref.store") || assay_operation_is(at, "vector.store")) {
    plant_offset(it, at, 1);
    leave_out(it, at, MUTATE_STORE);
  } else if (assay_operation_is(at, "arith.cmpi")) {
    plant_guard(it, at);
  } else if (assay_operation_is(at, "scf.for")) {
    plant_loop(it, at);
  } else if (assay_operation_is(at, "arith.divui")) {
    plant_axes(it, at);
  } else if (assay_operation_is(at, "gpu.thread_id")) {
    plant_id(it, at, "gpu.block_id");
  } else if (assay_operation_is(at, "gpu.block_id")) {
    plant_id(it, at, "gpu.thread_id");
  }
}
