// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/stand_in.h"

#include "compiler/bridge/tail_rewrite.h"
#include "compiler/tail/recorder.h"
#include "compiler/tail/stand_in_memory.h"

#include <dlfcn.h>
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <string.h>

// A program may call in a loop; what a thousand calls do not show the next will not either.
enum { MOST_CALLS = 1000, MOST_LANES = 256 };

static bool is_taken_down(void) {
  static int calls;
  if (calls == MOST_CALLS)
    return false;
  calls++;
  return true;
}

static bool taken; // of the call that is under way

bool assay_stand_in_is_taken(void) {
  return taken;
}

static void take_call(const char *name) {
  taken = is_taken_down();
  assay_recorded what = {.kind = ASSAY_OBSERVED_PRINTED,
                         .element = ASSAY_ELEMENT_TEXT,
                         .bytes = 1,
                         .rank = 1,
                         .dim = {(int64_t)strlen(name)},
                         .stride = {1}};
  if (taken)
    assay_recorder_add(&what, name);
}

static void take_number(assay_element element, int bytes, const void *value) {
  assay_recorded what = {.kind = ASSAY_OBSERVED_PRINTED, .element = element, .bytes = bytes};
  if (taken)
    assay_recorder_add(&what, value);
}

static void take_integer(int64_t value) {
  take_number(ASSAY_ELEMENT_INTEGER, sizeof value, &value);
}

static void take_f32(float value) {
  take_number(ASSAY_ELEMENT_F32, sizeof value, &value);
}

static void take_f64(double value) {
  take_number(ASSAY_ELEMENT_F64, sizeof value, &value);
}

#define CALL "__assay_stand_in_call"
#define INTEGER "__assay_stand_in_integer"
#define F32 "__assay_stand_in_f32"
#define F64 "__assay_stand_in_f64"

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_record_symbol *assay_stand_in_symbols(void) {
  static const assay_record_symbol symbols[] = {
      {CALL, (void (*)(void))take_call},
      {INTEGER, (void (*)(void))take_integer},
      {F32, (void (*)(void))take_f32},
      {F64, (void (*)(void))take_f64},
      {ASSAY_STAND_IN_MEMORY, (void (*)(void))assay_stand_in_memory},
      {NULL, NULL},
  };
  return symbols;
}

typedef struct builder {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef at;
  LLVMValueRef function;
} builder;

static void call(const builder *it, const char *name, LLVMValueRef argument) {
  LLVMTypeRef type = LLVMTypeOf(argument);
  type = LLVMFunctionType(LLVMVoidTypeInContext(it->context), &type, 1, 0);
  LLVMValueRef callee = LLVMGetNamedFunction(it->module, name);
  if (callee == NULL)
    callee = LLVMAddFunction(it->module, name, type);
  LLVMBuildCall2(it->at, type, callee, &argument, 1, "");
}

static void take_argument(const builder *it, LLVMValueRef argument) {
  LLVMTypeRef type = LLVMTypeOf(argument);
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    if (LLVMGetIntTypeWidth(type) <= 64)
      call(it, INTEGER,
           LLVMBuildIntCast2(it->at, argument, LLVMInt64TypeInContext(it->context), 1, ""));
    break;
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
    call(it, F32, LLVMBuildFPCast(it->at, argument, LLVMFloatTypeInContext(it->context), ""));
    break;
  case LLVMDoubleTypeKind:
    call(it, F64, argument);
    break;
  default: // a vector or a structure: that the call was made must do
    break;
  }
}

// A value for one result; NULL where none can be made up.
static LLVMValueRef make_result(const builder *it, LLVMTypeRef type) {
  for (unsigned i = 0; i < LLVMCountParams(it->function); i++)
    if (LLVMTypeOf(LLVMGetParam(it->function, i)) == type)
      return LLVMGetParam(it->function, i);
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMConstInt(type, 1, 0);
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return LLVMConstReal(type, 1);
  case LLVMVectorTypeKind: {
    LLVMValueRef lane = make_result(it, LLVMGetElementType(type)), lanes[MOST_LANES];
    unsigned count = LLVMGetVectorSize(type);
    for (unsigned i = 0; i < count && i < MOST_LANES; i++)
      lanes[i] = lane;
    return lane != NULL && LLVMIsConstant(lane) != 0 && count <= MOST_LANES
               ? LLVMConstVector(lanes, count)
               : NULL;
  }
  default:
    return NULL;
  }
}

static bool holds_memory(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind)
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (holds_memory(LLVMStructGetTypeAtIndex(type, i)))
        return true;
  return kind == LLVMPointerTypeKind;
}

// Whether a body can be written for the function.
static bool can_return(const builder *it, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return true;
  if (holds_memory(type))
    return false;
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
    return make_result(it, type) != NULL;
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    if (make_result(it, LLVMStructGetTypeAtIndex(type, i)) == NULL)
      return false;
  return true;
}

static void build_return(const builder *it, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
    LLVMBuildRetVoid(it->at);
    return;
  }
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
    LLVMBuildRet(it->at, make_result(it, type));
    return;
  }
  LLVMValueRef all = LLVMGetUndef(type);
  for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
    all = LLVMBuildInsertValue(it->at, all, make_result(it, LLVMStructGetTypeAtIndex(type, i)), i,
                               "");
  LLVMBuildRet(it->at, all);
}

// Sizes and strides of memory are the compiler's business: they are not taken down.
static bool is_given_memory(const builder *it) {
  for (unsigned i = 0; i < LLVMCountParams(it->function); i++)
    if (holds_memory(LLVMTypeOf(LLVMGetParam(it->function, i))))
      return true;
  return false;
}

// Parameters of the function that stand for one of the program's: a descriptor's numbers, a pointer
// to a descriptor, or to the elements of a static shape.
typedef enum convention { AS_NUMBERS, AS_DESCRIPTORS, BARE, NO_CONVENTION } convention;

static int parameters_of(const assay_given *given, convention how) {
  if (how != AS_NUMBERS || given->form == ASSAY_GIVEN_OTHER)
    return 1;
  return given->form == ASSAY_GIVEN_UNRANKED ? 2 : 3 + 2 * given->rank;
}

static convention find_convention(const builder *it, const char *text, bool is_wrapper) {
  for (convention how = is_wrapper ? AS_DESCRIPTORS : AS_NUMBERS; how < NO_CONVENTION; how++) {
    unsigned count = 0;
    bool fits = how != AS_DESCRIPTORS || is_wrapper;
    assay_given given;
    for (const char *at = text; (at = assay_given_read(at, &given)) != NULL;) {
      count += (unsigned)parameters_of(&given, how);
      fits = fits && (how != BARE || given.form == ASSAY_GIVEN_OTHER || given.is_static);
    }
    if (fits && count == LLVMCountParams(it->function))
      return how;
  }
  return NO_CONVENTION;
}

static void write_word(const builder *it, LLVMValueRef words, int at, LLVMValueRef value) {
  LLVMTypeRef word = LLVMInt64TypeInContext(it->context);
  LLVMValueRef index = LLVMConstInt(word, (unsigned long long)at, 0);
  LLVMBuildStore(it->at, value, LLVMBuildGEP2(it->at, word, words, &index, 1, ""));
}

// A descriptor of the memory that stands at a parameter.
static LLVMValueRef descriptor(const builder *it, const assay_given *given, unsigned first,
                               convention how) {
  LLVMTypeRef word = LLVMInt64TypeInContext(it->context);
  LLVMValueRef parameter = LLVMGetParam(it->function, first);
  if (how == AS_DESCRIPTORS)
    return parameter;
  int count = 3 + 2 * given->rank;
  LLVMValueRef words =
      LLVMBuildArrayAlloca(it->at, word, LLVMConstInt(word, (unsigned)count, 0), "");
  if (how == AS_NUMBERS) {
    for (int i = 0; i < count; i++)
      write_word(it, words, i, LLVMGetParam(it->function, first + (unsigned)i));
    return words;
  }
  write_word(it, words, 0, parameter);
  write_word(it, words, 1, parameter);
  write_word(it, words, 2, LLVMConstInt(word, 0, 0));
  int64_t stride = 1;
  for (int i = given->rank - 1; i >= 0; i--) {
    write_word(it, words, 3 + i, LLVMConstInt(word, (unsigned long long)given->dim[i], 0));
    write_word(it, words, 3 + given->rank + i, LLVMConstInt(word, (unsigned long long)stride, 0));
    stride *= given->dim[i];
  }
  return words;
}

static void use_memory(const builder *it, const char *text, convention how) {
  assay_given given;
  unsigned parameter = 0;
  for (const char *at = text; (at = assay_given_read(at, &given)) != NULL;) {
    if (given.form == ASSAY_GIVEN_FLOATS) {
      LLVMTypeRef word = LLVMInt64TypeInContext(it->context);
      LLVMValueRef values[] = {LLVMConstInt(word, (unsigned)given.element, 0),
                               LLVMConstInt(word, (unsigned)given.rank, 0),
                               descriptor(it, &given, parameter, how)};
      LLVMTypeRef types[] = {word, word, LLVMPointerTypeInContext(it->context, 0)};
      LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(it->context), types, 3, 0);
      LLVMValueRef callee = LLVMGetNamedFunction(it->module, ASSAY_STAND_IN_MEMORY);
      if (callee == NULL)
        callee = LLVMAddFunction(it->module, ASSAY_STAND_IN_MEMORY, type);
      LLVMBuildCall2(it->at, type, callee, values, 3, "");
    }
    parameter += (unsigned)parameters_of(&given, how);
  }
}

// `given` says what the program hands over; NULL: not known.
static bool define(builder *it, const char *name, const char *given, bool is_wrapper) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(it->function));
  if (!can_return(it, result))
    return false;
  convention how = NO_CONVENTION;
  if (given != NULL && given[0] != '\0' && is_given_memory(it)) {
    how = find_convention(it, given, is_wrapper);
    if (how == NO_CONVENTION)
      return false; // what it did in other states it could not do in this one
  }
  LLVMPositionBuilderAtEnd(it->at, LLVMAppendBasicBlockInContext(it->context, it->function, ""));
  call(it, CALL, LLVMBuildGlobalStringPtr(it->at, name, ""));
  for (unsigned i = 0; i < LLVMCountParams(it->function) && !is_given_memory(it); i++)
    take_argument(it, LLVMGetParam(it->function, i));
  if (how != NO_CONVENTION)
    use_memory(it, given, how);
  build_return(it, result);
  return true;
}

static bool is_defined(const assay_link_options *options, const char *name) {
  for (const assay_record_symbol *const *list = options->symbols; *list != NULL; list++)
    for (const assay_record_symbol *s = *list; s->name != NULL; s++)
      if (strcmp(s->name, name) == 0)
        return true;
  return dlsym(RTLD_DEFAULT, name) != NULL;
}

static void stand_in_for(builder *it, const char *symbol, const char *name, const char *given,
                         const assay_link_options *options) {
  it->function = LLVMGetNamedFunction(it->module, symbol);
  if (it->function == NULL || LLVMIsDeclaration(it->function) == 0 ||
      LLVMGetFirstUse(it->function) == NULL || is_defined(options, symbol) ||
      !define(it, name, given, symbol != name))
    return;
  if (options->stand_ins == NULL)
    return;
  if (options->stand_ins->length > 0)
    assay_excerpt_append(mlirStringRefCreateFromCString(", "), options->stand_ins);
  assay_excerpt_append(mlirStringRefCreateFromCString("@"), options->stand_ins);
  assay_excerpt_append(mlirStringRefCreateFromCString(name), options->stand_ins);
}

void assay_stand_in(LLVMModuleRef module, const assay_link_options *options) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  builder it = {.module = module, .context = context, .at = LLVMCreateBuilderInContext(context)};
  for (int i = 0; i < options->declared_count; i++) {
    char wrapped[512];
    size_t length = strlen(options->declared[i]);
    const char *given = options->given != NULL ? options->given[i] : NULL;
    stand_in_for(&it, options->declared[i], options->declared[i], given, options);
    if (length + sizeof "_mlir_ciface_" > sizeof wrapped)
      continue;
    memcpy(wrapped, "_mlir_ciface_", sizeof "_mlir_ciface_");
    memcpy(wrapped + strlen(wrapped), options->declared[i], length + 1);
    stand_in_for(&it, wrapped, options->declared[i], given, options);
  }
  size_t length = strlen(ASSAY_UNKNOWN_OPERATION);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    const char *name = LLVMGetValueName(f);
    if (strncmp(name, ASSAY_UNKNOWN_OPERATION, length) == 0)
      stand_in_for(&it, name, name + length, NULL, options);
  }
  LLVMDisposeBuilder(it.at);
}
