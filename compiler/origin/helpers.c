// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/helpers.h"

#include "compiler/base/arena.h"
#include "compiler/base/text.h"
#include "compiler/origin/payload.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 + ASSAY_ORIGIN_OPERANDS };

// The result and the operands of an operation, as text.
typedef struct signature {
  int count;
  const char *types[VALUES]; // "f32", "vector<8xf32>"
  const char *name;          // of the helper
} signature;

static const char *type_text(assay_arena *arena, const assay_origin_type *type,
                             const char *element) {
  return type->lanes == 0 ? element
                          : assay_arena_format(arena, "vector<%dx%s>", type->lanes, element);
}

static const char *element_text(assay_arena *arena, const assay_origin_type *type) {
  const assay_payload_format *format = assay_payload_of(type->format);
  return format != NULL ? format->type : assay_arena_format(arena, "i%d", 8 * type->bytes);
}

static signature describe(assay_arena *arena, const assay_origin_op *op) {
  signature made = {.count = 1 + op->operand_count};
  assay_text name = {.arena = arena};
  assay_text_print(&name, "assay_origin_look");
  for (int i = 0; i < made.count; i++) {
    const assay_origin_type *type = i == 0 ? &op->result : &op->operands[i - 1];
    const char *element = element_text(arena, type);
    made.types[i] = type_text(arena, type, element);
    assay_text_print(&name, "_%s", element);
    if (type->lanes > 0)
      assay_text_print(&name, "x%d", type->lanes);
  }
  made.name = assay_text_get(&name);
  return made;
}

// "%op: i32, %v0: f32, %v1: f32".
static void print_parameters(assay_text *text, const signature *of) {
  assay_text_print(text, "(%%op: i32");
  for (int i = 0; i < of->count; i++)
    assay_text_print(text, ", %%v%d: %s", i, of->types[i]);
  assay_text_print(text, ") -> %s", of->types[0]);
}

// Hands addresses to the runtime, which may replace the result.
static void print_slow(assay_text *text, const signature *of) {
  assay_text_print(text, "llvm.func internal @%s_slow", of->name);
  print_parameters(text, of);
  assay_text_print(text, " attributes {no_inline, passthrough = [\"cold\"]} {\n"
                         "  %%one = llvm.mlir.constant(1 : i64) : i64\n"
                         "  %%none = llvm.mlir.zero : !llvm.ptr\n");
  for (int i = 0; i < of->count; i++)
    assay_text_print(text,
                     "  %%p%d = llvm.alloca %%one x %s : (i64) -> !llvm.ptr\n"
                     "  llvm.store %%v%d, %%p%d : %s, !llvm.ptr\n",
                     i, of->types[i], i, i, of->types[i]);
  assay_text_print(text, "  llvm.call @" ASSAY_ORIGIN_SYMBOL "(%%op");
  for (int i = 0; i < VALUES; i++)
    if (i < of->count)
      assay_text_print(text, ", %%p%d", i);
    else
      assay_text_print(text, ", %%none");
  assay_text_print(text,
                   ") : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()\n"
                   "  %%new = llvm.load %%p0 : !llvm.ptr -> %s\n"
                   "  llvm.return %%new : %s\n}\n",
                   of->types[0], of->types[0]);
}

// The bits that tell whether a result must be looked at.
static void print_quick(assay_text *text, const signature *of, const assay_origin_op *op,
                        const assay_watch_helpers *how) {
  const assay_payload_format *format = assay_payload_of(op->result.format);
  uint64_t exponent = assay_payload_exponent(format), plain = assay_payload_plain(format);
  uint64_t mask = how->hasty ? assay_payload_mask(format) : exponent;
  uint64_t value = how->hasty ? plain : mask;
  if (how->hasty && how->infinite) { // whose quiet bit is none
    mask &= ~(plain & ~exponent);
    value = exponent;
  }
  assay_arena *arena = text->arena;
  const char *element = assay_arena_format(arena, "i%d", format->bits);
  const char *bits = type_text(arena, &op->result, element);
  const char *open = op->result.lanes > 0 ? "dense<" : "", *close = op->result.lanes > 0 ? ">" : "";
  assay_text_print(text, "llvm.func internal @%s", of->name);
  print_parameters(text, of);
  assay_text_print(text,
                   " attributes {always_inline} {\n"
                   "  %%bits = llvm.bitcast %%v0 : %s to %s\n"
                   "  %%mask = llvm.mlir.constant(%s%" PRIu64 "%s : %s) : %s\n"
                   "  %%value = llvm.mlir.constant(%s%" PRIu64 "%s : %s) : %s\n"
                   "  %%kept = llvm.and %%bits, %%mask : %s\n"
                   "  %%is = llvm.icmp \"eq\" %%kept, %%value : %s\n",
                   of->types[0], bits, open, mask, close, bits, bits, open, value, close, bits,
                   bits, bits, bits);
  const char *any = "%is";
  if (op->result.lanes > 0) {
    any = "%any";
    assay_text_print(text,
                     "  %%any = \"llvm.intr.vector.reduce.or\"(%%is) : (vector<%dxi1>) -> i1\n",
                     op->result.lanes);
  }
  assay_text_print(text,
                   "  llvm.cond_br %s weights([1, 2000]), ^slow, ^out(%%v0 : %s)\n^slow:\n"
                   "  %%new = llvm.call @%s_slow(%%op",
                   any, of->types[0], of->name);
  for (int i = 0; i < of->count; i++)
    assay_text_print(text, ", %%v%d", i);
  assay_text_print(text, ") : (i32");
  for (int i = 0; i < of->count; i++)
    assay_text_print(text, ", %s", of->types[i]);
  assay_text_print(text,
                   ") -> %s\n  llvm.br ^out(%%new : %s)\n^out(%%result: %s):\n"
                   "  llvm.return %%result : %s\n}\n",
                   of->types[0], of->types[0], of->types[0], of->types[0]);
}

bool assay_watch_knows(const assay_watch_helpers *helpers, const char *name) {
  MlirStringRef text = mlirStringRefCreateFromCString(name);
  return !mlirOperationIsNull(mlirSymbolTableLookup(helpers->symbols, text));
}

// Moves the functions of a text into the module.
void assay_watch_add(const assay_watch_helpers *helpers, MlirContext context, const char *text) {
  MlirModule made = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(made))
    abort(); // the text is this file's own
  for (;;) {
    MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(made));
    if (mlirOperationIsNull(first))
      break;
    MlirAttribute name =
        mlirOperationGetAttributeByName(first, mlirStringRefCreateFromCString("sym_name"));
    mlirOperationRemoveFromParent(first);
    char known[256];
    MlirStringRef word = mlirStringAttrGetValue(name);
    snprintf(known, sizeof known, "%.*s", (int)word.length, word.data);
    if (assay_watch_knows(helpers, known))
      mlirOperationDestroy(first);
    else
      mlirSymbolTableInsert(helpers->symbols, first);
  }
  mlirModuleDestroy(made);
}

static void add_helper(const assay_watch_helpers *helpers, MlirContext context, assay_arena *arena,
                       const signature *of, const assay_origin_op *op) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "llvm.func @" ASSAY_ORIGIN_SYMBOL
                          "(i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)\n");
  print_slow(&text, of);
  print_quick(&text, of, op, helpers);
  assay_watch_add(helpers, context, assay_text_get(&text));
}

MlirValue assay_watch_call(const assay_watch_helpers *helpers, const assay_builder *at, int op,
                           const assay_origin_op *types, MlirValue result,
                           const MlirValue operands[]) {
  assay_arena *arena = assay_arena_create();
  signature of = describe(arena, types);
  if (!assay_watch_knows(helpers, of.name))
    add_helper(helpers, at->context, arena, &of, types);
  MlirType i32 = mlirIntegerTypeGet(at->context, 32), type = mlirValueGetType(result);
  MlirNamedAttribute value = assay_builder_attribute(at, "value", mlirIntegerAttrGet(i32, op));
  MlirValue values[1 + VALUES] = {
      assay_builder_add_value(at, &(assay_recipe){.name = "llvm.mlir.constant",
                                                  .attribute_count = 1,
                                                  .attributes = &value,
                                                  .result_count = 1,
                                                  .results = &i32}),
      result};
  for (int i = 0; i < types->operand_count; i++)
    values[2 + i] = operands[i];
  MlirValue called = assay_builder_call(at, of.name, type, 1 + of.count, values);
  assay_arena_destroy(arena);
  return called;
}
