// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that keep shadows, beside each operation of the program.
#include "compiler/origin/shadow.h"

#include "compiler/base/arena.h"
#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/ir/excerpt.h"
#include "compiler/origin/exact_kinds.h"
#include "compiler/origin/exact_step.h"
#include "compiler/origin/hand.h"
#include "compiler/origin/helpers.h"
#include "compiler/origin/kinds.h"
#include "compiler/origin/names.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/slots.h"
#include "compiler/origin/structs.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/lanes.h"
#include "compiler/rounding/libm.h"
#include "compiler/rounding/operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 1 + ASSAY_ORIGIN_OPERANDS };

typedef struct instrumentation {
  assay_watch_helpers helpers;
  assay_arena *arena;
  assay_slots slots; // of the function at hand
  bool exact;        // the shadows are numbers: exact.h
  assay_shadow_op *ops;
  MlirOperation *operations; // by number: what each is of
  int count, capacity;
} instrumentation;

static int add_op(instrumentation *it, const assay_shadow_op *op, MlirOperation of) {
  if (it->count == it->capacity) {
    it->capacity = it->capacity == 0 ? 256 : 2 * it->capacity;
    assay_shadow_op *ops = realloc(it->ops, (size_t)it->capacity * sizeof *ops);
    MlirOperation *operations = realloc(it->operations, (size_t)it->capacity * sizeof *operations);
    if (ops == NULL || operations == NULL)
      abort();
    it->ops = ops;
    it->operations = operations;
  }
  it->ops[it->count] = *op;
  it->operations[it->count] = of;
  return it->count++;
}

static bool has_slot(const instrumentation *it, MlirType type) {
  return assay_slots_has(type) || (it->exact && assay_slots_is_byte(type));
}

// The runtime's functions.
#define DECLARED                                                                                   \
  "llvm.func @" ASSAY_SHADOW_STEP "(i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, "  \
  "!llvm.ptr, !llvm.ptr, !llvm.ptr)\n"                                                             \
  "llvm.func @" ASSAY_SHADOW_HAND "(!llvm.ptr, !llvm.ptr, i64)\n"                                  \
  "llvm.func @" ASSAY_SHADOW_COPY "(!llvm.ptr, !llvm.ptr, i64)\n"

// The function that hands values of these types, and their slots, to the runtime.
static const char *helper_of(instrumentation *it, MlirContext context, int count,
                             const MlirValue values[]) {
  assay_text types = {.arena = it->arena};
  const char *type[VALUES];
  for (int i = 0; i < count; i++) {
    assay_excerpt printed = {.length = 0};
    mlirTypePrint(mlirValueGetType(values[i]), assay_excerpt_append, &printed);
    type[i] = assay_arena_string(it->arena, printed.text);
    assay_text_print(&types, "%s,", type[i]);
  }
  const char *name =
      assay_arena_format(it->arena, "assay_shadow_%016llx",
                         (unsigned long long)assay_hash_string(assay_text_get(&types)));
  if (assay_watch_knows(&it->helpers, name))
    return name;
  assay_text text = {.arena = it->arena};
  assay_text_print(&text, DECLARED "llvm.func internal @%s(%%op: i32", name);
  for (int i = 0; i < count; i++)
    assay_text_print(&text, ", %%v%d: %s, %%s%d: !llvm.ptr", i, type[i], i);
  assay_text_print(&text, ") attributes {no_inline} {\n"
                          "  %%one = llvm.mlir.constant(1 : i64) : i64\n"
                          "  %%none = llvm.mlir.zero : !llvm.ptr\n");
  if (it->exact && count > 0)
    assay_quick_print(&text, mlirValueGetType(values[0]), type[0]);
  for (int i = 0; i < count; i++)
    if (strcmp(type[i], "!llvm.ptr") != 0)
      assay_text_print(&text,
                       "  %%p%d = llvm.alloca %%one x %s : (i64) -> !llvm.ptr\n"
                       "  llvm.store %%v%d, %%p%d : %s, !llvm.ptr\n",
                       i, type[i], i, i, type[i]);
  assay_text_print(&text, "  llvm.call @" ASSAY_SHADOW_STEP "(%%op");
  for (int i = 0; i < VALUES; i++)
    if (i >= count)
      assay_text_print(&text, ", %%none, %%none");
    else
      assay_text_print(&text, ", %%%s%d, %%s%d", strcmp(type[i], "!llvm.ptr") == 0 ? "v" : "p", i,
                       i);
  assay_text_print(&text, ") : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, "
                          "!llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()\n  llvm.return\n}\n");
  assay_watch_add(&it->helpers, context, assay_text_get(&text));
  return name;
}

// A step of the runtime: values[0] is what op->result describes.
static void add_step(instrumentation *it, const assay_builder *at, assay_shadow_op *op,
                     MlirOperation of, const MlirValue values[]) {
  const assay_lanes scalar = {.builder = *at};
  MlirType pointer = mlirLLVMPointerTypeGet(at->context, 0);
  int count = 1 + op->operand_count;
  MlirValue arguments[1 + 2 * VALUES];
  MlirType i32 = mlirIntegerTypeGet(at->context, 32);
  const char *helper = helper_of(it, at->context, count, values);
  arguments[0] = assay_lanes_integer(&scalar, i32, add_op(it, op, of));
  for (int i = 0; i < count; i++) {
    assay_slot slot;
    arguments[1 + 2 * i] = values[i];
    arguments[2 + 2 * i] = assay_slots_of(&it->slots, values[i], &slot)
                               ? slot.memory
                               : assay_builder_apply(at, "llvm.mlir.zero", pointer, 0, NULL);
  }
  assay_hand_call(at, helper, 1 + 2 * count, arguments);
}

// A field of a value as a value of its own, with that part of its slot.
static MlirValue take_field(instrumentation *it, const assay_builder *at, const assay_field *field,
                            const assay_slot *whole) {
  MlirValue made = assay_field_value(at, field, whole->value);
  if (field->depth > 0)
    assay_slots_share(
        &it->slots, made,
        assay_field_advance(at, whole->memory, (int64_t)field->lane * ASSAY_SHADOW_BYTES));
  return made;
}

// A step for each float that a value holds, and perhaps for its address; numbered from `number` on.
static int add_simple(instrumentation *it, const assay_builder *at, assay_shadow_kind kind,
                      int number, MlirOperation of, MlirValue whole, MlirValue address) {
  assay_field fields[ASSAY_FIELDS];
  MlirType type = mlirValueGetType(whole);
  int count = assay_fields_of(type, fields);
  assay_slot slot;
  if (it->exact && assay_slots_is_byte(type)) {
    fields[0] = (assay_field){.type = assay_slots_type(type)};
    count = 1;
  }
  if (count == 0 || !assay_slots_of(&it->slots, whole, &slot))
    return number;
  for (int i = 0; i < count; i++) {
    const assay_field *field = &fields[i];
    MlirValue values[] = {take_field(it, at, field, &slot), address};
    if (!mlirValueIsNull(address))
      values[1] = assay_field_address(at, field, type, address);
    assay_shadow_op op = {.kind = kind,
                          .number = number + i,
                          .result = field->type,
                          .operand_count = mlirValueIsNull(address) ? 0 : 1};
    add_step(it, at, &op, of, values);
  }
  return number + count;
}

static const MlirValue no_value = {NULL};

// What gives the sine and the cosine.
static void add_sincos(instrumentation *it, const assay_builder *at, MlirOperation operation) {
  static const char *const names[] = {"sin", "cos"};
  assay_field fields[ASSAY_FIELDS];
  assay_slot slot;
  MlirValue made = mlirOperationGetResult(operation, 0);
  MlirValue operand = mlirOperationGetOperand(operation, 0);
  int count = assay_fields_of(mlirValueGetType(made), fields);
  for (int i = 0; count == 2 && i < 2 && assay_slots_of(&it->slots, made, &slot); i++) {
    const MlirValue values[] = {take_field(it, at, &fields[i], &slot), operand};
    assay_shadow_op op = {.kind = ASSAY_SHADOW_COMPUTE,
                          .compute = ASSAY_ROUNDED_LIBM,
                          .one = assay_libm_find_one(names[i]),
                          .result = fields[i].type,
                          .operand_count = 1,
                          .operands = {assay_slots_type(mlirValueGetType(operand))}};
    add_step(it, at, &op, operation, values);
  }
}

// A structure with floats.
static void add_struct(instrumentation *it, const assay_builder *at, MlirOperation operation) {
  bool loads = assay_operation_is(operation, "llvm.load");
  if (assay_operation_is(operation, "llvm.intr.sincos"))
    add_sincos(it, at, operation);
  else
    add_simple(it, at, loads ? ASSAY_SHADOW_LOAD : ASSAY_SHADOW_START, 0, operation,
               mlirOperationGetResult(operation, 0),
               loads ? mlirOperationGetOperand(operation, 0) : no_value);
}

// The step after an operation with a floating result.
static void add_result(instrumentation *it, const assay_builder *at, MlirOperation operation) {
  MlirValue values[VALUES] = {mlirOperationGetResult(operation, 0)};
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
  add_step(it, at, &op, operation, values);
}

static void add_call(instrumentation *it, const assay_builder *before, const assay_builder *after,
                     MlirOperation operation) {
  bool defined = assay_operation_calls_defined(operation, it->helpers.symbols);
  bool has_result = mlirOperationGetNumResults(operation) == 1 &&
                    has_slot(it, mlirValueGetType(mlirOperationGetResult(operation, 0)));
  int number = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    if (defined)
      number = add_simple(it, before, ASSAY_SHADOW_PASS, number, operation, value, no_value);
    else if (mlirOperationGetNumResults(operation) == 0)
      add_simple(it, before, ASSAY_SHADOW_SHOW, 0, operation, value, no_value);
  }
  if (has_result && defined)
    add_simple(it, after, ASSAY_SHADOW_RECEIVE, 0, operation, mlirOperationGetResult(operation, 0),
               no_value);
  else if (has_result)
    add_result(it, after, operation);
}

// llvm.br, cond_br and switch: what they are given for each block stands in its order, behind what
// decides.
static void add_branch(instrumentation *it, const assay_builder *before, MlirOperation operation) {
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
static void add_store(instrumentation *it, const assay_builder *before, MlirOperation operation) {
  MlirValue value = mlirOperationGetOperand(operation, 0);
  MlirValue address = mlirOperationGetOperand(operation, 1);
  MlirType type = mlirValueGetType(value);
  add_simple(it, before, ASSAY_SHADOW_STORE, 0, operation, value, address);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) < 16)
    return;
  MlirType pointer = mlirLLVMPointerTypeGet(before->context, 0);
  const assay_lanes scalar = {.builder = *before};
  const MlirValue arguments[] = {
      address, assay_builder_apply(before, "llvm.mlir.zero", pointer, 0, NULL),
      assay_lanes_whole(&scalar, (mlirIntegerTypeGetWidth(type) + 7) / 8)};
  assay_hand_call(before, ASSAY_SHADOW_COPY, 3, arguments);
}

static void instrument_operation(instrumentation *it, MlirOperation operation) {
  assay_builder before = assay_builder_aside(operation), after = assay_builder_aside(operation);
  MlirOperation next = mlirOperationGetNextInBlock(operation);
  assay_flags_drop(operation);
  if (assay_operation_is(operation, "llvm.call"))
    add_call(it, &before, &after, operation);
  else if (assay_operation_is(operation, "llvm.return") &&
           mlirOperationGetNumOperands(operation) == 1)
    add_simple(it, &before, ASSAY_SHADOW_RETURN, 0, operation,
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
           has_slot(it, mlirValueGetType(mlirOperationGetResult(operation, 0))) &&
           !assay_hand_on(&it->slots, &after, operation))
    add_result(it, &after, operation);
  assay_builder_place(&before, operation);
  if (!mlirOperationIsNull(next))
    assay_builder_place(&after, next);
  else
    mlirBlockDestroy(after.block);
}

// What a block begins with: parameters come from the caller, others from the blocks before.
static void enter_block(instrumentation *it, MlirBlock block, bool is_entry) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  assay_builder at = assay_builder_aside(first);
  int number = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    assay_slot slot;
    MlirValue value = mlirBlockGetArgument(block, i);
    if (!assay_slots_of(&it->slots, value, &slot))
      continue;
    if (is_entry)
      number = add_simple(it, &at, ASSAY_SHADOW_TAKE, number, first, value, no_value);
    else
      assay_hand_lanes(&at, slot.memory, slot.incoming,
                       assay_fields_lanes(mlirValueGetType(value)));
  }
  assay_builder_place(&at, first);
}

static void instrument_function(instrumentation *it, MlirOperation function) {
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

static assay_code describe_all(const instrumentation *it, MlirModule names, assay_shared *shared,
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
  instrumentation it = {.helpers = {.module = module, .symbols = mlirSymbolTableCreate(root)},
                        .arena = assay_arena_create(),
                        .exact = exact};
  assay_watch_add(&it.helpers, mlirOperationGetContext(root), DECLARED);
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
