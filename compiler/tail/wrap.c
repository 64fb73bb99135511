// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call of an entry that is still a func.func. It is written in the state's own terms, so that
// whatever the tail makes of the entry it makes of its caller: layouts and conventions agree.
#include "compiler/tail/border.h"

#include "compiler/base/text.h"
#include "compiler/ir/excerpt.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

typedef struct wrap_script {
  assay_border *border;
  assay_arena *arena;
  assay_text outside, inside; // declarations, and the wrapper's body
} wrap_script;

// A value of the wrapper: its name and its type.
typedef struct named_value {
  const char *name, *type;
} named_value;

static const char *type_text(wrap_script *script, MlirType type) {
  return assay_border_type_text(type, script->arena);
}

// "3x?x", the shape as the user wrote it or as the state has it.
static const char *shape_text(wrap_script *script, const assay_value_type *type) {
  assay_text text = {.arena = script->arena};
  for (int i = 0; i < type->rank; i++)
    if (type->dim[i] < 0)
      assay_text_print(&text, "?x");
    else
      assay_text_print(&text, "%" PRId64 "x", type->dim[i]);
  return assay_text_get(&text);
}

// Vectors of single bits lie packed in memory; at the border each bit is a byte.
static bool is_bit_vector(const assay_value_type *type) {
  return type->form == ASSAY_VALUE_VECTOR && type->bits < 8;
}

static const char *element_text(wrap_script *script, const assay_value_type *type) {
  return is_bit_vector(type) ? "i8" : type_text(script, type->element_type);
}

// The memref through which argument i comes in: its layout open, so that it casts to any.
static const char *incoming(wrap_script *script, const assay_argument *argument, MlirType state) {
  const char *space = "";
  if (mlirTypeIsAMemRef(state) || mlirTypeIsAUnrankedMemRef(state)) {
    MlirAttribute attribute = mlirTypeIsAMemRef(state) ? mlirMemRefTypeGetMemorySpace(state)
                                                       : mlirUnrankedMemrefGetMemorySpace(state);
    if (!mlirAttributeIsNull(attribute)) {
      assay_excerpt text = {.length = 0};
      mlirAttributePrint(attribute, assay_excerpt_append, &text);
      space = assay_arena_format(script->arena, ", %s", text.text);
    }
  }
  assay_text text = {.arena = script->arena};
  const assay_value_type *type = &argument->type;
  const char *element = element_text(script, type);
  if (assay_value_has_memory(type)) // an index may have become an i64
    element = type_text(script, mlirShapedTypeGetElementType(state));
  else if (type->form == ASSAY_VALUE_SCALAR)
    element = type_text(script, state);
  assay_text_print(&text, "memref<%s%s", shape_text(script, type), element);
  if (assay_value_has_memory(type)) {
    assay_text_print(&text, ", strided<[");
    for (int i = 0; i < type->rank; i++)
      assay_text_print(&text, "%s?", i > 0 ? ", " : "");
    assay_text_print(&text, "], offset: ?>");
  }
  assay_text_print(&text, "%s>", space);
  return assay_text_get(&text);
}

static void print_zeros(assay_text *text, const char *word, int count) {
  for (int i = 0; i < count; i++)
    assay_text_print(text, "%s%s", i > 0 ? ", " : "", word);
}

static void read_vector(wrap_script *script, int i, const char *memref, MlirType state) {
  const assay_value_type *type = &script->border->arguments[i].type;
  bool bits = is_bit_vector(type);
  const char *shape = shape_text(script, type), *element = element_text(script, type);
  bool is_float = type->element != ASSAY_ELEMENT_INTEGER;
  assay_text *text = &script->inside;
  if (type->is_complex)
    return; // refused before
  assay_text_print(text, "  %%z%d = arith.constant %s : %s\n", i, is_float ? "0.0" : "0", element);
  assay_text_print(text, "  %%%c%d = vector.transfer_read %%m%d[", bits ? 'y' : 'v', i, i);
  print_zeros(text, "%c0", type->rank);
  assay_text_print(text, "], %%z%d", i);
  if (type->rank > 0) {
    assay_text_print(text, " {in_bounds = [");
    print_zeros(text, "true", type->rank);
    assay_text_print(text, "]}");
  }
  assay_text_print(text, " : %s, vector<%s%s>\n", memref, shape, element);
  if (bits)
    assay_text_print(text, "  %%v%d = arith.trunci %%y%d : vector<%si8> to %s\n", i, i, shape,
                     type_text(script, state));
}

static void read_tensor(wrap_script *script, int i, const char *memref, MlirType state) {
  const assay_value_type *type = &script->border->arguments[i].type;
  const char *element = type_text(script, mlirShapedTypeGetElementType(state));
  const char *given =
      assay_arena_format(script->arena, "tensor<%s%s>", shape_text(script, type), element);
  assay_text_print(&script->inside, "  %%t%d = bufferization.to_tensor %%m%d restrict : %s to %s\n",
                   i, i, memref, given);
  assay_text_print(&script->inside, "  %%v%d = tensor.cast %%t%d : %s to %s\n", i, i, given,
                   type_text(script, state));
}

static assay_code take_argument(wrap_script *script, int i, assay_error *err) {
  const assay_argument *argument = &script->border->arguments[i];
  MlirType state = script->border->state.inputs[i];
  const char *memref = incoming(script, argument, state);
  assay_text_print(&script->outside,
                   "func.func private @" ASSAY_TAIL_IN "_%d(i64) -> %s attributes "
                   "{llvm.emit_c_interface}\n",
                   i, memref);
  assay_text_print(&script->inside,
                   "  %%k%d = arith.constant %d : i64\n"
                   "  %%m%d = func.call @" ASSAY_TAIL_IN "_%d(%%k%d) : (i64) -> %s\n",
                   i, i, i, i, i, memref);
  if (argument->type.form == ASSAY_VALUE_SCALAR) {
    assay_text_print(&script->inside, "  %%v%d = memref.load %%m%d[] : %s\n", i, i, memref);
  } else if (argument->type.form == ASSAY_VALUE_VECTOR) {
    if (argument->type.is_complex)
      return assay_fail(err, ASSAY_UNSUPPORTED, "argument %d is a vector of complex numbers", i);
    read_vector(script, i, memref, state);
  } else if (mlirTypeIsAMemRef(state) || mlirTypeIsAUnrankedMemRef(state)) {
    assay_text_print(&script->inside, "  %%v%d = memref.cast %%m%d : %s to %s\n", i, i, memref,
                     type_text(script, state));
  } else {
    read_tensor(script, i, memref, state);
  }
  return ASSAY_OK;
}

static void print_types(wrap_script *script, const MlirType *types, int count) {
  for (int i = 0; i < count; i++)
    assay_text_print(&script->inside, "%s%s", i > 0 ? ", " : "", type_text(script, types[i]));
}

static void call(wrap_script *script, const char *entry) {
  const assay_signature *state = &script->border->state;
  assay_text *text = &script->inside;
  assay_text_print(text, "  ");
  for (int i = 0; i < state->result_count; i++)
    assay_text_print(text, "%s%%r%d", i > 0 ? ", " : "", i);
  assay_text_print(text, "%sfunc.call @%s(", state->result_count > 0 ? " = " : "", entry);
  for (int i = 0; i < state->input_count; i++)
    assay_text_print(text, "%s%%v%d", i > 0 ? ", " : "", i);
  assay_text_print(text, ") : (");
  print_types(script, state->inputs, state->input_count);
  assay_text_print(text, ") -> (");
  print_types(script, state->results, state->result_count);
  assay_text_print(text, ")\n");
}

// Puts result i, no memory of its own, into a fresh memref.
static named_value store_result(wrap_script *script, int i, const assay_result *result) {
  const assay_value_type *type = &result->type;
  assay_text *text = &script->inside;
  const char *state = type_text(script, type->type), *shape = shape_text(script, type);
  const char *memref =
      assay_arena_format(script->arena, "memref<%s%s>", shape, element_text(script, type));
  int r = result->returned;
  named_value stored = {assay_arena_format(script->arena, "%%b%d", i), memref};
  assay_text_print(text, "  %%b%d = memref.alloc() : %s\n", i, memref);
  if (type->form == ASSAY_VALUE_SCALAR) {
    assay_text_print(text, "  memref.store %%r%d, %%b%d[] : %s\n", r, i, memref);
    return stored;
  }
  bool bits = is_bit_vector(type);
  if (bits) {
    const char *wide = assay_arena_format(script->arena, "vector<%si8>", shape);
    assay_text_print(text, "  %%w%d = arith.extui %%r%d : %s to %s\n", r, r, state, wide);
    state = wide;
  }
  assay_text_print(text, "  vector.transfer_write %%%c%d, %%b%d[", bits ? 'w' : 'r', r, i);
  print_zeros(text, "%c0", type->rank);
  assay_text_print(text, "]");
  if (type->rank > 0) {
    assay_text_print(text, " {in_bounds = [");
    print_zeros(text, "true", type->rank);
    assay_text_print(text, "]}");
  }
  assay_text_print(text, " : %s, %s\n", state, memref);
  return stored;
}

// A tensor's buffer, whatever its layout.
static named_value buffer_result(wrap_script *script, int i, const assay_result *result) {
  const assay_value_type *type = &result->type;
  assay_text text = {.arena = script->arena};
  const char *element = type_text(script, type->element_type);
  if (type->has_rank) {
    assay_text_print(&text, "memref<%s%s, strided<[", shape_text(script, type), element);
    print_zeros(&text, "?", type->rank);
    assay_text_print(&text, "], offset: ?>>");
  } else {
    assay_text_print(&text, "memref<*x%s>", element);
  }
  assay_text_print(&script->inside,
                   "  %%b%d = bufferization.to_buffer %%r%d read_only : %s to %s\n", i,
                   result->returned, type_text(script, type->type), assay_text_get(&text));
  return (named_value){assay_arena_format(script->arena, "%%b%d", i), assay_text_get(&text)};
}

// A memref in the default memory space.
static named_value plain_space(wrap_script *script, int i, const assay_result *result) {
  MlirType type = result->type.type;
  MlirAttribute space = result->type.has_rank ? mlirMemRefTypeGetMemorySpace(type)
                                              : mlirUnrankedMemrefGetMemorySpace(type);
  const char *text = type_text(script, type);
  if (mlirAttributeIsNull(space))
    return (named_value){assay_arena_format(script->arena, "%%r%d", result->returned), text};
  MlirAttribute none = {NULL};
  int64_t dim[ASSAY_OBSERVED_MAX_RANK];
  for (int d = 0; d < result->type.rank; d++)
    dim[d] = result->type.dim[d] < 0 ? mlirShapedTypeGetDynamicSize() : result->type.dim[d];
  MlirType plain = result->type.has_rank
                       ? mlirMemRefTypeGet(result->type.element_type, result->type.rank, dim,
                                           mlirMemRefTypeGetLayout(type), none)
                       : mlirUnrankedMemRefTypeGet(result->type.element_type, none);
  const char *to = type_text(script, plain);
  assay_text_print(&script->inside, "  %%b%d = memref.memory_space_cast %%r%d : %s to %s\n", i,
                   result->returned, text, to);
  return (named_value){assay_arena_format(script->arena, "%%b%d", i), to};
}

static assay_code hand_out(wrap_script *script, int i, assay_error *err) {
  assay_result *result = &script->border->results[i];
  if (result->argument >= 0)
    return ASSAY_OK; // read from memory after the run
  if (result->type.form == ASSAY_VALUE_VECTOR && result->type.is_complex)
    return assay_fail(err, ASSAY_UNSUPPORTED, "result %d is a vector of complex numbers", i);
  named_value memref;
  if (!assay_value_has_memory(&result->type))
    memref = store_result(script, i, result);
  else if (result->type.form == ASSAY_VALUE_TENSOR)
    memref = buffer_result(script, i, result);
  else
    memref = plain_space(script, i, result);
  const char *unranked =
      assay_arena_format(script->arena, "memref<*x%s>", element_text(script, &result->type));
  result->form = ASSAY_RESULT_UNRANKED;
  assay_text_print(&script->outside,
                   "func.func private @" ASSAY_TAIL_OUT "_%d(i64, %s) attributes "
                   "{llvm.emit_c_interface}\n",
                   i, unranked);
  if (result->type.has_rank) {
    assay_text_print(&script->inside, "  %%u%d = memref.cast %s : %s to %s\n", i, memref.name,
                     memref.type, unranked);
    memref.name = assay_arena_format(script->arena, "%%u%d", i);
  }
  assay_text_print(&script->inside,
                   "  %%n%d = arith.constant %d : i64\n"
                   "  func.call @" ASSAY_TAIL_OUT "_%d(%%n%d, %s) : (i64, %s) -> ()\n",
                   i, i, i, i, memref.name, unranked);
  return ASSAY_OK;
}

assay_code assay_border_wrap(MlirModule module, const char *entry, assay_border *border,
                             assay_arena *arena, assay_error *err) {
  wrap_script script = {
      .border = border, .arena = arena, .outside.arena = arena, .inside.arena = arena};
  for (int i = 0; i < border->argument_count; i++)
    TRY(take_argument(&script, i, err));
  call(&script, entry);
  for (int i = 0; i < border->result_count; i++)
    TRY(hand_out(&script, i, err));
  assay_text all = {.arena = arena};
  assay_text_print(&all, "%sfunc.func private @%s(", assay_text_get(&script.outside), entry);
  MlirType *inputs = border->state.inputs, *results = border->state.results;
  for (int i = 0; i < border->state.input_count; i++)
    assay_text_print(&all, "%s%s", i > 0 ? ", " : "", assay_border_type_text(inputs[i], arena));
  assay_text_print(&all, ") -> (");
  for (int i = 0; i < border->state.result_count; i++)
    assay_text_print(&all, "%s%s", i > 0 ? ", " : "", assay_border_type_text(results[i], arena));
  assay_text_print(&all,
                   ")\nfunc.func @" ASSAY_TAIL_ENTRY "() {\n"
                   "  %%c0 = arith.constant 0 : index\n%s  return\n}\n",
                   assay_text_get(&script.inside));
  return assay_border_append(module, assay_text_get(&all), entry, err);
}
