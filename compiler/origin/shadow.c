// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that keep shadows, beside each operation of the program.

#include "compiler/ir/diagnostics.h"
#include "compiler/origin/exact_kinds.h"
#include "compiler/origin/exact_step.h"
#include "compiler/origin/hand.h"
#include "compiler/origin/kinds.h"
#include "compiler/origin/names.h"
#include "compiler/origin/shadowing.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/libm.h"
#include "compiler/rounding/operations.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdlib.h>
#include <string.h>

static const MlirValue no_value = {NULL};

// What gives the sine and the cosine.
static void add_sincos(assay_shadowing *it, const assay_builder *at, MlirOperation operation) {
  static const char *const names[] = {"sin", "cos"};
  assay_field fields[ASSAY_FIELDS];
  assay_slot slot;
  MlirValue made = mlirOperationGetResult(operation, 0);
  MlirValue operand = mlirOperationGetOperand(operation, 0);
  int count = assay_fields_of(mlirValueGetType(made), fields);
  for (int i = 0; count == 2 && i < 2 && assay_slots_of(&it->slots, made, &slot); i++) {
    const MlirValue values[] = {assay_shadowing_field(it, at, &fields[i], &slot), operand};
    assay_shadow_op op = {.kind = ASSAY_SHADOW_COMPUTE,
                          .compute = ASSAY_ROUNDED_LIBM,
                          .one = assay_libm_find_one(names[i]),
                          .result = fields[i].type,
                          .operand_count = 1,
                          .operands = {assay_slots_type(mlirValueGetType(operand))}};
    assay_shadowing_step(it, at, &op, operation, values);
  }
}

// A structure with floats.
static void add_struct(assay_shadowing *it, const assay_builder *at, MlirOperation operation) {
  bool loads = assay_operation_is(operation, "llvm.load");
  if (assay_operation_is(operation, "llvm.intr.sincos"))
    add_sincos(it, at, operation);
  else
    assay_shadowing_simple(it, at, loads ? ASSAY_SHADOW_LOAD : ASSAY_SHADOW_START, 0, operation,
                           mlirOperationGetResult(operation, 0),
                           loads ? mlirOperationGetOperand(operation, 0) : no_value);
}

// The step after an operation with a floating result.
static void add_result(assay_shadowing *it, const assay_builder *at, MlirOperation operation) {
  MlirValue values[ASSAY_SHADOWING_VALUES] = {mlirOperationGetResult(operation, 0)};
  if (mlirTypeIsALLVMStructType(mlirValueGetType(values[0]))) {
    add_struct(it, at, operation);
    return;
  }
  assay_shadow_op op = {.result = assay_slots_type(mlirValueGetType(values[0]))};
  op.kind = assay_kind_of(operation, it->helpers.symbols, &op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    assay_origin_type type = assay_slots_type(mlirValueGetType(value));
    bool is_address = op.kind == ASSAY_SHADOW_LOAD;
    if ((op.kind == ASSAY_SHADOW_START && !it->exact) ||
        op.operand_count == ASSAY_ORIGIN_OPERANDS ||
        (type.format == ASSAY_ORIGIN_OTHER && !is_address))
      continue;
    if (type.format == ASSAY_ORIGIN_SIGNED && op.compute == ASSAY_ROUNDED_FROM_UNSIGNED)
      type.format = ASSAY_ORIGIN_UNSIGNED;
    op.operands[op.operand_count++] = type;
    values[op.operand_count] = value;
  }
  assay_kind_complete(operation, &op);
  if (it->exact)
    assay_exact_complete(operation, at, it->helpers.symbols, &op, values);
  assay_shadowing_step(it, at, &op, operation, values);
}

static void add_call(assay_shadowing *it, const assay_builder *before, const assay_builder *after,
                     MlirOperation operation) {
  bool defined = assay_operation_calls_defined(operation, it->helpers.symbols);
  bool has_result =
      mlirOperationGetNumResults(operation) == 1 &&
      assay_shadowing_has_slot(it, mlirValueGetType(mlirOperationGetResult(operation, 0)));
  int number = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    if (defined)
      number =
          assay_shadowing_simple(it, before, ASSAY_SHADOW_PASS, number, operation, value, no_value);
    else if (mlirOperationGetNumResults(operation) == 0)
      assay_shadowing_simple(it, before, ASSAY_SHADOW_SHOW, 0, operation, value, no_value);
  }
  if (has_result && defined)
    assay_shadowing_simple(it, after, ASSAY_SHADOW_RECEIVE, 0, operation,
                           mlirOperationGetResult(operation, 0), no_value);
  else if (has_result)
    add_result(it, after, operation);
}

// llvm.br, cond_br and switch: what they are given for each block stands in its order, behind what
// decides.
static void add_branch(assay_shadowing *it, const assay_builder *before, MlirOperation operation) {
  intptr_t at = assay_operation_is(operation, "llvm.br") ? 0 : 1;
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(operation); s++) {
    MlirBlock block = mlirOperationGetSuccessor(operation, s);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++, at++) {
      assay_slot to, from;
      if (at >= mlirOperationGetNumOperands(operation) ||
          !assay_slots_of(&it->slots, mlirBlockGetArgument(block, i), &to) ||
          !assay_slots_of(&it->slots, mlirOperationGetOperand(operation, at), &from))
        continue;
      assay_hand_lanes(before, to.incoming, from.memory,
                       assay_slots_lanes(&it->slots, mlirValueGetType(to.value)));
    }
  }
}

static void add_copy(const assay_builder *before, MlirOperation operation) {
  if (mlirOperationGetNumOperands(operation) < 3)
    return;
  MlirValue length = mlirOperationGetOperand(operation, 2);
  if (!mlirTypeEqual(mlirValueGetType(length), mlirIntegerTypeGet(before->context, 64)))
    return;
  MlirType pointer = mlirLLVMPointerTypeGet(before->context, 0);
  bool sets = assay_operation_is(operation, "llvm.intr.memset");
  MlirValue from = sets ? assay_builder_apply(before, "llvm.mlir.zero", pointer, 0, NULL)
                        : mlirOperationGetOperand(operation, 1);
  const MlirValue arguments[] = {mlirOperationGetOperand(operation, 0), from, length};
  assay_hand_call(before, ASSAY_SHADOW_COPY, 3, arguments);
}

// A whole number over what may have been a float.
static void add_store(assay_shadowing *it, const assay_builder *before, MlirOperation operation) {
  MlirValue value = mlirOperationGetOperand(operation, 0);
  MlirValue address = mlirOperationGetOperand(operation, 1);
  MlirType type = mlirValueGetType(value);
  assay_shadowing_simple(it, before, ASSAY_SHADOW_STORE, 0, operation, value, address);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) < 16)
    return;
  MlirType pointer = mlirLLVMPointerTypeGet(before->context, 0);
  const assay_lanes scalar = {.builder = *before};
  const MlirValue arguments[] = {
      address, assay_builder_apply(before, "llvm.mlir.zero", pointer, 0, NULL),
      assay_lanes_whole(&scalar, (mlirIntegerTypeGetWidth(type) + 7) / 8)};
  assay_hand_call(before, ASSAY_SHADOW_COPY, 3, arguments);
}

static void instrument_operation(assay_shadowing *it, MlirOperation operation) {
  assay_builder before = assay_builder_aside(operation), after = assay_builder_aside(operation);
  MlirOperation next = mlirOperationGetNextInBlock(operation);
  assay_flags_drop(operation);
  if (assay_operation_is(operation, "llvm.call"))
    add_call(it, &before, &after, operation);
  else if (assay_operation_is(operation, "llvm.return") &&
           mlirOperationGetNumOperands(operation) == 1)
    assay_shadowing_simple(it, &before, ASSAY_SHADOW_RETURN, 0, operation,
                           mlirOperationGetOperand(operation, 0), no_value);
  else if (assay_operation_is(operation, "llvm.store"))
    add_store(it, &before, operation);
  else if (assay_operation_is(operation, "llvm.intr.memcpy") ||
           assay_operation_is(operation, "llvm.intr.memmove") ||
           assay_operation_is(operation, "llvm.intr.memset"))
    add_copy(&before, operation);
  else if (mlirOperationGetNumSuccessors(operation) > 0)
    add_branch(it, &before, operation);
  else if (mlirOperationGetNumResults(operation) == 1 &&
           assay_shadowing_has_slot(it, mlirValueGetType(mlirOperationGetResult(operation, 0))) &&
           !assay_hand_on(&it->slots, &after, operation))
    add_result(it, &after, operation);
  assay_builder_place(&before, operation);
  if (!mlirOperationIsNull(next))
    assay_builder_place(&after, next);
  else
    mlirBlockDestroy(after.block);
}

// What a block begins with: parameters come from the caller, others from the blocks before.
static void enter_block(assay_shadowing *it, MlirBlock block, bool is_entry) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  assay_builder at = assay_builder_aside(first);
  int number = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    assay_slot slot;
    MlirValue value = mlirBlockGetArgument(block, i);
    if (!assay_slots_of(&it->slots, value, &slot))
      continue;
    if (is_entry)
      number = assay_shadowing_simple(it, &at, ASSAY_SHADOW_TAKE, number, first, value, no_value);
    else
      assay_hand_lanes(&at, slot.memory, slot.incoming,
                       assay_fields_lanes(mlirValueGetType(value)));
  }
  assay_builder_place(&at, first);
}

static void instrument_function(assay_shadowing *it, MlirOperation function) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  assay_operations all = assay_operations_collect(function, NULL);
  MlirOperation top = mlirBlockGetFirstOperation(entry);
  it->slots = (assay_slots){.entry = assay_builder_aside(top), .bytes = it->exact};
  for (int i = 1; i < all.count; i++)
    instrument_operation(it, all.items[i]);
  for (MlirBlock block = entry; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    enter_block(it, block, mlirBlockEqual(block, entry));
  assay_builder_place(&it->slots.entry, mlirBlockGetFirstOperation(entry));
  assay_slots_release(&it->slots);
  assay_operations_release(&all);
}

static assay_code describe_all(const assay_shadowing *it, MlirModule names, assay_shared *shared,
                               assay_origin_report *report, assay_error *err) {
  assay_operations program = assay_operations_collect(mlirModuleGetOperation(names), NULL);
  assay_origin_op *ops = assay_shared_take(shared, ((size_t)it->count + 1) * sizeof *ops);
  assay_code code = ASSAY_OK;
  for (int i = 0; i < it->count && ops != NULL && code == ASSAY_OK; i++) {
    MlirValue unused[ASSAY_ORIGIN_OPERANDS];
    ops[i] = (assay_origin_op){.lowered = "", .name = "", .file = ""};
    bool may_lose =
        it->ops[i].kind >= ASSAY_SHADOW_CHANGE && it->ops[i].kind <= ASSAY_SHADOW_REDUCE;
    bool may_make = may_lose || it->ops[i].kind == ASSAY_SHADOW_START ||
                    it->ops[i].kind == ASSAY_SHADOW_MOVE; // a maximum, of lanes of no known place
    if (it->exact ? !may_make : !may_lose)
      continue;
    if (!assay_watched_describe(it->operations[i], shared, &ops[i], unused))
      code = assay_fail(err, ASSAY_FAILED, "the shared memory is full");
    else
      code = assay_names_find(&program, shared, i > 0 ? &ops[i - 1] : NULL, &ops[i], err);
  }
  assay_operations_release(&program);
  report->ops = ops;
  report->op_count = it->count;
  return ops != NULL ? code : assay_fail(err, ASSAY_FAILED, "the shared memory is full");
}

static assay_code instrument(MlirModule module, bool exact, MlirModule names, assay_shared *shared,
                             assay_origin_report *report, assay_error *err) {
  MlirOperation root = mlirModuleGetOperation(module);
  assay_operations functions = {NULL, 0, 0};
  assay_code code = assay_operations_functions(&functions, module, err);
  assay_shadowing it = {.helpers = {.module = module, .symbols = mlirSymbolTableCreate(root)},
                        .arena = assay_arena_create(),
                        .exact = exact};
  assay_shadowing_declare(&it, mlirOperationGetContext(root));
  for (int i = 0; i < functions.count && code == ASSAY_OK; i++)
    instrument_function(&it, functions.items[i]);
  if (code == ASSAY_OK)
    code = describe_all(&it, names, shared, report, err);
  assay_operations_release(&functions);
  mlirSymbolTableDestroy(it.helpers.symbols);
  assay_arena_destroy(it.arena);
  free(it.operations);
  if (exact)
    assay_exact_describe(it.ops);
  else
    assay_shadow_describe(it.ops);
  TRY(code);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlirOperationGetContext(root));
  bool valid = mlirOperationVerify(root);
  assay_diagnostics_close(&diagnostics);
  return valid ? ASSAY_OK : assay_diagnostics_fail(&diagnostics, "adding shadows", err);
}

assay_code assay_loss_instrument(MlirModule module, MlirModule names, assay_shared *shared,
                                 assay_origin_report *report, assay_error *err) {
  return instrument(module, false, names, shared, report, err);
}

assay_code assay_exact_instrument(MlirModule module, assay_origin_kind kind, MlirModule names,
                                  assay_shared *shared, assay_origin_report *report,
                                  assay_error *err) {
  TRY(assay_exact_sources(module, kind, names, shared, report, err));
  return instrument(module, true, names, shared, report, err);
}
