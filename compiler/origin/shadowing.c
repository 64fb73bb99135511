// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/shadowing.h"

#include "compiler/ir/excerpt.h"
#include "compiler/origin/exact_kinds.h"
#include "compiler/origin/hand.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdlib.h>
#include <string.h>

static int add_op(assay_shadowing *it, const assay_shadow_op *op, MlirOperation of) {
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

bool assay_shadowing_has_slot(const assay_shadowing *it, MlirType type) {
  return assay_slots_has(type) || (it->exact && assay_slots_is_byte(type));
}

// The runtime's functions.
#define DECLARED                                                                                   \
  "llvm.func @" ASSAY_SHADOW_STEP "(i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, "  \
  "!llvm.ptr, !llvm.ptr, !llvm.ptr)\n"                                                             \
  "llvm.func @" ASSAY_SHADOW_HAND "(!llvm.ptr, !llvm.ptr, i64)\n"                                  \
  "llvm.func @" ASSAY_SHADOW_COPY "(!llvm.ptr, !llvm.ptr, i64)\n"

void assay_shadowing_declare(assay_shadowing *it, MlirContext context) {
  assay_watch_add(&it->helpers, context, DECLARED);
}

// The function that hands values of these types, and their slots, to the runtime.
static const char *helper_of(assay_shadowing *it, MlirContext context, int count,
                             const MlirValue values[]) {
  assay_text types = {.arena = it->arena};
  const char *type[ASSAY_SHADOWING_VALUES];
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
  for (int i = 0; i < ASSAY_SHADOWING_VALUES; i++)
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

void assay_shadowing_step(assay_shadowing *it, const assay_builder *at, assay_shadow_op *op,
                          MlirOperation of, const MlirValue values[]) {
  const assay_lanes scalar = {.builder = *at};
  MlirType pointer = mlirLLVMPointerTypeGet(at->context, 0);
  int count = 1 + op->operand_count;
  MlirValue arguments[1 + 2 * ASSAY_SHADOWING_VALUES];
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

MlirValue assay_shadowing_field(assay_shadowing *it, const assay_builder *at,
                                const assay_field *field, const assay_slot *whole) {
  MlirValue made = assay_field_value(at, field, whole->value);
  if (field->depth > 0)
    assay_slots_share(
        &it->slots, made,
        assay_field_advance(at, whole->memory, (int64_t)field->lane * ASSAY_SHADOW_BYTES));
  return made;
}

int assay_shadowing_simple(assay_shadowing *it, const assay_builder *at, assay_shadow_kind kind,
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
    MlirValue values[] = {assay_shadowing_field(it, at, field, &slot), address};
    if (!mlirValueIsNull(address))
      values[1] = assay_field_address(at, field, type, address);
    assay_shadow_op op = {.kind = kind,
                          .number = number + i,
                          .result = field->type,
                          .operand_count = mlirValueIsNull(address) ? 0 : 1};
    assay_shadowing_step(it, at, &op, of, values);
  }
  return number + count;
}
