// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call of an entry that is an llvm.func already: no C interface is needed, and no convention of
// the C compiler matters, for the caller is LLVM code too and all values pass through memory.
#include "compiler/tail/border.h"

#include "compiler/base/text.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <string.h>

typedef struct wrap_script {
  assay_border *border;
  assay_arena *arena;
  MlirType *parameters; // of the llvm.func
  int parameter_count;
  MlirType returned; // what it returns; null: nothing
  bool bare;         // memrefs of identity layout are single pointers
  assay_text inside, operands, types;
  int used; // parameters so far
  int next; // number of the next value
} wrap_script;

static const char *type_text(wrap_script *script, MlirType type) {
  return assay_border_type_text(type, script->arena);
}

static bool is_memref(MlirType type) {
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

static bool can_be_bare(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
         mlirShapedTypeHasStaticShape(type);
}

static int parameters_of(MlirType type, bool bare) {
  if (!is_memref(type) || (bare && can_be_bare(type)))
    return 1;
  return mlirTypeIsAMemRef(type) ? 3 + 2 * (int)mlirShapedTypeGetRank(type) : 2;
}

static int parameters_in_all(const assay_signature *state, bool bare) {
  int count = 0;
  for (int i = 0; i < state->input_count; i++)
    count += parameters_of(state->inputs[i], bare);
  return count;
}

static const char *descriptor(wrap_script *script, MlirType type) {
  if (!mlirTypeIsAMemRef(type))
    return "!llvm.struct<(i64, ptr)>";
  int rank = (int)mlirShapedTypeGetRank(type);
  if (rank == 0)
    return "!llvm.struct<(ptr, ptr, i64)>";
  return assay_arena_format(
      script->arena, "!llvm.struct<(ptr, ptr, i64, array<%d x i64>, array<%d x i64>)>", rank, rank);
}

static void pass(wrap_script *script, int value) {
  assay_text_print(&script->operands, "%s%%%d", script->used > 0 ? ", " : "", value);
  assay_text_print(&script->types, "%s%s", script->used > 0 ? ", " : "",
                   type_text(script, script->parameters[script->used]));
  script->used++;
}

// Member (or member and element) of a descriptor, passed on as one parameter.
static void pass_member(wrap_script *script, int whole, const char *of, int member, int element) {
  int value = script->next++;
  if (element < 0)
    assay_text_print(&script->inside, "  %%%d = llvm.extractvalue %%%d[%d] : %s\n", value, whole,
                     member, of);
  else
    assay_text_print(&script->inside, "  %%%d = llvm.extractvalue %%%d[%d, %d] : %s\n", value,
                     whole, member, element, of);
  MlirType to = script->parameters[script->used];
  if (member < 2 && element < 0 && mlirTypeIsALLVMPointerType(to) &&
      strcmp(type_text(script, to), "!llvm.ptr") != 0) {
    assay_text_print(&script->inside, "  %%%d = llvm.addrspacecast %%%d : !llvm.ptr to %s\n",
                     script->next, value, type_text(script, to));
    value = script->next++;
  }
  pass(script, value);
}

static void pass_memref(wrap_script *script, int pointer, MlirType type) {
  const char *of = descriptor(script, type);
  int whole = script->next++;
  assay_text_print(&script->inside, "  %%%d = llvm.load %%%d : !llvm.ptr -> %s\n", whole, pointer,
                   of);
  if (script->bare && can_be_bare(type)) {
    pass_member(script, whole, of, 1, -1);
    return;
  }
  bool ranked = mlirTypeIsAMemRef(type);
  for (int member = 0; member < (ranked ? 3 : 2); member++)
    pass_member(script, whole, of, member, -1);
  int rank = ranked ? (int)mlirShapedTypeGetRank(type) : 0;
  for (int member = 3; member < 5; member++)
    for (int i = 0; i < rank; i++)
      pass_member(script, whole, of, member, i);
}

// The rows of a vector: what LLVM has as vectors of one dimension.
typedef struct vector_rows {
  int count, width; // rows, and elements in each
  int rank;         // dimensions that number the rows
  const int64_t *dim;
  bool bits;         // single bits, bytes at the border
  const char *inner; // "vector<4xf32>"
  const char *wide;  // the same as it lies at the border
  int bytes;         // of a row at the border
} vector_rows;

static vector_rows rows_of(wrap_script *script, const assay_value_type *type) {
  vector_rows rows = {.count = 1, .width = 1, .dim = type->dim, .bits = type->bits < 8};
  rows.rank = type->rank > 0 ? type->rank - 1 : 0;
  for (int i = 0; i < rows.rank; i++)
    rows.count *= (int)type->dim[i];
  if (type->rank > 0)
    rows.width = (int)type->dim[type->rank - 1];
  const char *element =
      mlirTypeIsAIndex(type->element_type) ? "i64" : type_text(script, type->element_type);
  rows.inner = assay_arena_format(script->arena, "vector<%dx%s>", rows.width, element);
  rows.wide = rows.inner;
  if (rows.bits)
    rows.wide = assay_arena_format(script->arena, "vector<%dxi8>", rows.width);
  rows.bytes = rows.width * type->bytes;
  return rows;
}

// "[1, 0]" for row r.
static const char *row_index(wrap_script *script, const vector_rows *rows, int r) {
  int at[ASSAY_OBSERVED_MAX_RANK];
  for (int i = rows->rank - 1; i >= 0; i--) {
    at[i] = r % (int)rows->dim[i];
    r /= (int)rows->dim[i];
  }
  assay_text text = {.arena = script->arena};
  for (int i = 0; i < rows->rank; i++)
    assay_text_print(&text, "%s%d", i > 0 ? ", " : "[", at[i]);
  assay_text_print(&text, "]");
  return assay_text_get(&text);
}

static int row_pointer(wrap_script *script, const vector_rows *rows, int base, int r) {
  int pointer = script->next++;
  assay_text_print(&script->inside,
                   "  %%%d = llvm.getelementptr %%%d[%d] : (!llvm.ptr) -> !llvm.ptr, i8\n", pointer,
                   base, r * rows->bytes);
  return pointer;
}

static int load_row(wrap_script *script, const vector_rows *rows, int base, int r) {
  int pointer = row_pointer(script, rows, base, r), value = script->next++;
  assay_text_print(&script->inside,
                   "  %%%d = llvm.load %%%d {alignment = 1 : i64} : !llvm.ptr -> %s\n", value,
                   pointer, rows->wide);
  if (!rows->bits)
    return value;
  int narrow = script->next++;
  assay_text_print(&script->inside, "  %%%d = llvm.trunc %%%d : %s to %s\n", narrow, value,
                   rows->wide, rows->inner);
  return narrow;
}

static void pass_vector(wrap_script *script, int pointer, const assay_value_type *type) {
  vector_rows rows = rows_of(script, type);
  if (rows.rank == 0) {
    pass(script, load_row(script, &rows, pointer, 0));
    return;
  }
  const char *whole = type_text(script, script->parameters[script->used]);
  int value = script->next++;
  assay_text_print(&script->inside, "  %%%d = llvm.mlir.undef : %s\n", value, whole);
  for (int r = 0; r < rows.count; r++) {
    int row = load_row(script, &rows, pointer, r), grown = script->next++;
    assay_text_print(&script->inside, "  %%%d = llvm.insertvalue %%%d, %%%d%s : %s\n", grown, row,
                     value, row_index(script, &rows, r), whole);
    value = grown;
  }
  pass(script, value);
}

static void pass_argument(wrap_script *script, int i) {
  int number = script->next++, pointer = script->next++;
  assay_text_print(&script->inside,
                   "  %%%d = llvm.mlir.constant(%d : i64) : i64\n"
                   "  %%%d = llvm.call @" ASSAY_TAIL_IN "(%%%d) : (i64) -> !llvm.ptr\n",
                   number, i, pointer, number);
  MlirType type = script->border->state.inputs[i];
  const assay_argument *argument = &script->border->arguments[i];
  if (is_memref(type)) {
    pass_memref(script, pointer, type);
  } else if (argument->type.form == ASSAY_VALUE_VECTOR) {
    pass_vector(script, pointer, &argument->type);
  } else {
    int value = script->next++;
    assay_text_print(&script->inside, "  %%%d = llvm.load %%%d : !llvm.ptr -> %s\n", value, pointer,
                     type_text(script, script->parameters[script->used]));
    pass(script, value);
  }
}

static int allocate(wrap_script *script, const char *type, int count) {
  int number = script->next++, pointer = script->next++;
  assay_text_print(&script->inside,
                   "  %%%d = llvm.mlir.constant(%d : i64) : i64\n"
                   "  %%%d = llvm.alloca %%%d x %s : (i64) -> !llvm.ptr\n",
                   number, count, pointer, number, type);
  return pointer;
}

static int store_vector(wrap_script *script, int value, const char *whole,
                        const assay_value_type *type) {
  vector_rows rows = rows_of(script, type);
  int base = allocate(script, "i8", rows.count * rows.bytes + 1);
  for (int r = 0; r < rows.count; r++) {
    int row = value;
    if (rows.rank > 0) {
      row = script->next++;
      assay_text_print(&script->inside, "  %%%d = llvm.extractvalue %%%d%s : %s\n", row, value,
                       row_index(script, &rows, r), whole);
    }
    if (rows.bits) {
      assay_text_print(&script->inside, "  %%%d = llvm.zext %%%d : %s to %s\n", script->next, row,
                       rows.inner, rows.wide);
      row = script->next++;
    }
    int pointer = row_pointer(script, &rows, base, r);
    assay_text_print(&script->inside,
                     "  llvm.store %%%d, %%%d {alignment = 1 : i64} : %s, !llvm.ptr\n", row,
                     pointer, rows.wide);
  }
  return base;
}

static void hand_out(wrap_script *script, int i, int returned, bool is_packed) {
  assay_result *result = &script->border->results[i];
  MlirType type = script->returned;
  int value = returned;
  if (is_packed) {
    type = mlirLLVMStructTypeGetElementType(script->returned, result->returned);
    value = script->next++;
    assay_text_print(&script->inside, "  %%%d = llvm.extractvalue %%%d[%d] : %s\n", value, returned,
                     result->returned, type_text(script, script->returned));
  }
  const char *text = type_text(script, type);
  result->form = ASSAY_RESULT_DENSE;
  if (assay_value_has_memory(&result->type))
    result->form = mlirTypeIsALLVMPointerType(type) ? ASSAY_RESULT_ALLOCATION
                   : result->type.has_rank          ? ASSAY_RESULT_RANKED
                                                    : ASSAY_RESULT_UNRANKED;
  int pointer;
  if (result->type.form == ASSAY_VALUE_VECTOR) {
    pointer = store_vector(script, value, text, &result->type);
  } else {
    pointer = allocate(script, text, 1);
    assay_text_print(&script->inside, "  llvm.store %%%d, %%%d : %s, !llvm.ptr\n", value, pointer,
                     text);
  }
  int number = script->next++;
  assay_text_print(&script->inside,
                   "  %%%d = llvm.mlir.constant(%d : i64) : i64\n"
                   "  llvm.call @" ASSAY_TAIL_OUT "(%%%d, %%%d) : (i64, !llvm.ptr) -> ()\n",
                   number, i, number, pointer);
}

static assay_code read_entry(wrap_script *script, MlirOperation entry, assay_error *err) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(entry, mlirStringRefCreateFromCString("function_type"));
  MlirType type = mlirTypeAttrGetValue(attribute);
  script->parameter_count = (int)mlirLLVMFunctionTypeGetNumInputs(type);
  script->parameters =
      assay_arena_take(script->arena, (size_t)script->parameter_count + 1, sizeof(MlirType));
  for (int i = 0; i < script->parameter_count; i++)
    script->parameters[i] = mlirLLVMFunctionTypeGetInput(type, i);
  script->returned = mlirLLVMFunctionTypeGetReturnType(type);
  if (mlirTypeEqual(script->returned, mlirLLVMVoidTypeGet(mlirTypeGetContext(type))))
    script->returned = (MlirType){NULL};
  const assay_signature *state = &script->border->state;
  int full = parameters_in_all(state, false), bare = parameters_in_all(state, true);
  if (script->parameter_count != full && script->parameter_count != bare)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "the entry has %d parameters in the llvm dialect, not %d",
                      script->parameter_count, full);
  script->bare = script->parameter_count != full;
  if ((state->result_count > 0) != !mlirTypeIsNull(script->returned))
    return assay_fail(err, ASSAY_UNSUPPORTED, "the entry's results are not returned");
  return ASSAY_OK;
}

static bool has_llvm_type(const wrap_script *script, MlirType type) {
  const assay_signature *state = &script->border->state;
  return state->result_count == 1 && mlirTypeEqual(state->results[0], type);
}

static assay_code hand_all_out(wrap_script *script, int returned, assay_error *err) {
  const assay_signature *state = &script->border->state;
  bool is_packed = state->result_count > 1;
  // A struct of one member, in a program that is written in the llvm dialect.
  if (state->result_count == 1 && mlirTypeIsALLVMStructType(script->returned) &&
      mlirLLVMStructTypeGetNumElementTypes(script->returned) == 1)
    is_packed = has_llvm_type(script, mlirLLVMStructTypeGetElementType(script->returned, 0));
  if (is_packed && (!mlirTypeIsALLVMStructType(script->returned) ||
                    mlirLLVMStructTypeGetNumElementTypes(script->returned) != state->result_count))
    return assay_fail(err, ASSAY_UNSUPPORTED, "the entry's results are not returned as one struct");
  for (int i = 0; i < script->border->result_count; i++)
    if (script->border->results[i].argument < 0)
      hand_out(script, i, returned, is_packed);
  return ASSAY_OK;
}

static const char *name_of(MlirOperation entry, assay_arena *arena) {
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(entry, mlirSymbolTableGetSymbolAttributeName()));
  return assay_arena_bytes(arena, name.data, name.length);
}

assay_code assay_border_wrap_llvm(MlirModule module, MlirOperation entry, assay_border *border,
                                  assay_arena *arena, assay_error *err) {
  wrap_script script = {.border = border,
                        .arena = arena,
                        .inside.arena = arena,
                        .operands.arena = arena,
                        .types.arena = arena};
  TRY(read_entry(&script, entry, err));
  const char *name = name_of(entry, arena);
  for (int i = 0; i < border->argument_count; i++)
    pass_argument(&script, i);
  const char *result = "()", *declared = "";
  int returned = -1;
  assay_text_print(&script.inside, "  ");
  if (!mlirTypeIsNull(script.returned)) {
    returned = script.next++;
    result = type_text(&script, script.returned);
    declared = assay_arena_format(arena, " -> %s", result);
    assay_text_print(&script.inside, "%%%d = ", returned);
  }
  assay_text_print(&script.inside, "llvm.call @%s(%s) : (%s) -> %s\n", name,
                   assay_text_get(&script.operands), assay_text_get(&script.types), result);
  TRY(hand_all_out(&script, returned, err));
  assay_text all = {.arena = arena};
  assay_text_print(&all,
                   "llvm.func @" ASSAY_TAIL_IN "(i64) -> !llvm.ptr\n"
                   "llvm.func @" ASSAY_TAIL_OUT "(i64, !llvm.ptr)\n"
                   "llvm.func @%s(%s)%s\n"
                   "llvm.func @" ASSAY_TAIL_ENTRY "() {\n%s  llvm.return\n}\n",
                   name, assay_text_get(&script.types), declared, assay_text_get(&script.inside));
  return assay_border_append(module, assay_text_get(&all), name, err);
}
