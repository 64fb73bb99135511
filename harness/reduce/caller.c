// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/caller.h"

#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/ir/excerpt.h"
#include "compiler/tail/argument.h"
#include "harness/ledger/printed.h"
#include "harness/ledger/runs.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

// What an entry named main is called once another main calls it.
#define RENAMED "program"

typedef struct caller {
  assay_arena *arena;
  const char *entry;
  assay_signature signature;
  const assay_observation *arguments;
  assay_text globals, body, operands, types; // of the call
  unsigned printed;                          // bits: which printMemref functions are called
} caller;

static const struct {
  const char *type, *suffix;
} PRINTERS[] = {{"f32", "F32"}, {"f64", "F64"}, {"i32", "I32"},   {"i64", "I64"},  {"i8", "I8"},
                {"i16", "I16"}, {"f16", "F16"}, {"bf16", "BF16"}, {"index", "Ind"}};
enum { PRINTER_COUNT = sizeof PRINTERS / sizeof PRINTERS[0] };

static const char *type_text(MlirType type, assay_arena *arena) {
  assay_excerpt text = {.length = 0};
  mlirTypePrint(type, assay_excerpt_append, &text);
  return assay_arena_string(arena, text.text);
}

static assay_code refuse(const caller *it, MlirType type, assay_error *err) {
  return assay_fail(err, ASSAY_UNSUPPORTED, "no constant of type %s", type_text(type, it->arena));
}

// "0x3F800000": the elements' bytes, as MLIR takes them for a dense constant.
static const char *hex(const caller *it, const assay_observed *item) {
  assay_text text = {.arena = it->arena};
  const unsigned char *bytes = item->data;
  assay_text_print(&text, "0x");
  for (int64_t i = 0; i < item->count * item->bytes; i++)
    assay_text_print(&text, "%02X", bytes[i]);
  return assay_text_get(&text);
}

static const char *shape(const caller *it, const assay_observed *item, const char *element) {
  assay_text text = {.arena = it->arena};
  for (int i = 0; i < item->rank; i++)
    assay_text_print(&text, "%" PRId64 "x", item->dim[i]);
  assay_text_print(&text, "%s", element);
  return assay_text_get(&text);
}

static void add_scalar(caller *it, int i, const assay_observed *item, const char *type) {
  uint64_t bits = 0;
  memcpy(&bits, item->data, (size_t)item->bytes);
  int64_t number = 0;
  memcpy(&number, item->data, (size_t)item->bytes);
  if (item->bytes < 8 && (bits >> (8 * item->bytes - 1) & 1) != 0)
    number = (int64_t)(bits | ~UINT64_C(0) << 8 * item->bytes);
  if (strcmp(type, "i1") == 0)
    assay_text_print(&it->body, "    %%a%d = arith.constant %s\n", i, bits != 0 ? "true" : "false");
  else if (item->element == ASSAY_ELEMENT_INTEGER)
    assay_text_print(&it->body, "    %%a%d = arith.constant %" PRId64 " : %s\n", i, number, type);
  else
    assay_text_print(&it->body, "    %%a%d = arith.constant 0x%0*" PRIX64 " : %s\n", i,
                     2 * item->bytes, bits, type);
}

// Memory that the program may write: a global, which no pass takes for a constant.
static void add_memory(caller *it, int i, const assay_observed *item, const char *element,
                       const char *type) {
  const char *own = assay_arena_format(it->arena, "memref<%s>", shape(it, item, element));
  assay_text_print(&it->globals, "  memref.global \"private\" @argument_%d : %s = dense<\"%s\">\n",
                   i, own, hex(it, item));
  assay_text_print(&it->body, "    %%g%d = memref.get_global @argument_%d : %s\n", i, i, own);
  assay_text_print(&it->body, "    %%a%d = memref.cast %%g%d : %s to %s\n", i, i, own, type);
}

static assay_code add_argument(caller *it, int i, assay_error *err) {
  assay_value_type type;
  MlirType mlir = it->signature.inputs[i];
  TRY(assay_value_type_read(mlir, &type, err));
  const assay_observed *item = &it->arguments->items[i];
  const char *text = type_text(mlir, it->arena);
  const char *element = type_text(type.element_type, it->arena);
  bool whole_bytes = type.bits == 8 * type.bytes;
  if (type.is_complex || !type.has_rank || item->count == 0)
    return refuse(it, mlir, err);
  if (type.form == ASSAY_VALUE_SCALAR) {
    if (item->bytes > 8)
      return refuse(it, mlir, err);
    add_scalar(it, i, item, text);
  } else if (!whole_bytes) {
    return refuse(it, mlir, err);
  } else if (type.form == ASSAY_VALUE_MEMREF) {
    add_memory(it, i, item, element, text);
  } else {
    const char *own = assay_arena_format(it->arena, "%s<%s>",
                                         type.form == ASSAY_VALUE_TENSOR ? "tensor" : "vector",
                                         shape(it, item, element));
    bool fits = strcmp(own, text) == 0;
    assay_text_print(&it->body, "    %%%c%d = arith.constant dense<\"%s\"> : %s\n",
                     fits ? 'a' : 'c', i, hex(it, item), own);
    if (!fits)
      assay_text_print(&it->body, "    %%a%d = tensor.cast %%c%d : %s to %s\n", i, i, own, text);
  }
  assay_text_print(&it->operands, "%s%%a%d", i > 0 ? ", " : "", i);
  assay_text_print(&it->types, "%s%s", i > 0 ? ", " : "", text);
  return ASSAY_OK;
}

// Prints a value: "r0" or "a2".
static assay_code add_print(caller *it, const char *value, MlirType mlir, assay_error *err) {
  assay_value_type type;
  TRY(assay_value_type_read(mlir, &type, err));
  const char *text = type_text(mlir, it->arena);
  const char *element = type_text(type.element_type, it->arena);
  if (!assay_value_has_memory(&type)) {
    assay_text_print(&it->body, "    vector.print %%%s : %s\n", value, text);
    return ASSAY_OK;
  }
  int printer = 0;
  while (printer < PRINTER_COUNT && strcmp(PRINTERS[printer].type, element) != 0)
    printer++;
  if (printer == PRINTER_COUNT || !type.has_rank)
    return refuse(it, mlir, err);
  it->printed |= 1U << printer;
  const char *memory = value;
  if (type.form == ASSAY_VALUE_TENSOR) {
    memory = assay_arena_format(it->arena, "m_%s", value);
    const char *tensor = text;
    text = assay_arena_format(it->arena, "memref%s", tensor + strlen("tensor"));
    assay_text_print(&it->body, "    %%%s = bufferization.to_buffer %%%s : %s to %s\n", memory,
                     value, tensor, text);
  }
  assay_text_print(&it->body, "    %%u_%s = memref.cast %%%s : %s to memref<*x%s>\n", value, memory,
                   text, element);
  assay_text_print(&it->body, "    call @printMemref%s(%%u_%s) : (memref<*x%s>) -> ()\n",
                   PRINTERS[printer].suffix, value, element);
  return ASSAY_OK;
}

static assay_code add_call(caller *it, assay_error *err) {
  const assay_signature *signature = &it->signature;
  for (int i = 0; i < signature->input_count; i++)
    TRY(add_argument(it, i, err));
  assay_text results = {.arena = it->arena}, types = {.arena = it->arena};
  for (int i = 0; i < signature->result_count; i++) {
    assay_text_print(&results, "%s%%r%d", i > 0 ? ", " : "", i);
    assay_text_print(&types, "%s%s", i > 0 ? ", " : "",
                     type_text(signature->results[i], it->arena));
  }
  assay_text_print(&it->body, "    %s%scall @%s(%s) : (%s) -> (%s)\n", assay_text_get(&results),
                   signature->result_count > 0 ? " = " : "", it->entry,
                   assay_text_get(&it->operands), assay_text_get(&it->types),
                   assay_text_get(&types));
  for (int i = 0; i < signature->result_count; i++)
    TRY(add_print(it, assay_arena_format(it->arena, "r%d", i), signature->results[i], err));
  for (int i = 0; i < signature->input_count; i++)
    if (mlirTypeIsAMemRef(signature->inputs[i]))
      TRY(add_print(it, assay_arena_format(it->arena, "a%d", i), signature->inputs[i], err));
  return ASSAY_OK;
}

// The module with the call at its end.
static assay_code join(const caller *it, const char *text, const char **out_text,
                       assay_error *err) {
  const char *end = strrchr(text, '}');
  if (end == NULL || strstr(text, "{-#") != NULL || end[strspn(end + 1, "\n") + 1] != '\0')
    return assay_fail(err, ASSAY_UNSUPPORTED, "the module's text goes on behind its end");
  assay_text whole = {.arena = it->arena};
  assay_text_append(&whole, text, (size_t)(end - text));
  assay_text_print(&whole, "%s", assay_text_get(&it->globals));
  for (int i = 0; i < PRINTER_COUNT; i++)
    if ((it->printed >> i & 1) != 0)
      assay_text_print(&whole,
                       "  func.func private @printMemref%s(memref<*x%s>) attributes "
                       "{llvm.emit_c_interface}\n",
                       PRINTERS[i].suffix, PRINTERS[i].type);
  assay_text_print(&whole, "  func.func @main() {\n%s    return\n  }\n}\n",
                   assay_text_get(&it->body));
  *out_text = assay_text_get(&whole);
  return ASSAY_OK;
}

static MlirOperation find_entry(MlirModule module, const char *entry) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation at = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(at);
       at = mlirOperationGetNextInBlock(at)) {
    MlirAttribute name =
        mlirOperationGetAttributeByName(at, mlirStringRefCreateFromCString("sym_name"));
    if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
        mlirStringRefEqual(mlirStringAttrGetValue(name), mlirStringRefCreateFromCString(entry)))
      return at;
  }
  return (MlirOperation){NULL};
}

// Makes room for the new main.
static const char *rename_main(MlirModule module, MlirOperation function, const char *entry) {
  if (strcmp(entry, "main") != 0)
    return entry;
  MlirContext context = mlirModuleGetContext(module);
  MlirStringRef name = mlirStringRefCreateFromCString(RENAMED);
  (void)!mlirSymbolTableReplaceAllSymbolUses(mlirStringRefCreateFromCString(entry), name,
                                             mlirModuleGetOperation(module))
      .value;
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("sym_name"),
                                  mlirStringAttrGet(context, name));
  return RENAMED;
}

static assay_code write(const assay_ledger_request *request, caller *it, MlirModule module,
                        int data, bool cautious, const char **out_text, assay_error *err) {
  MlirOperation function = find_entry(module, it->entry);
  if (mlirOperationIsNull(function))
    return assay_fail(err, ASSAY_UNSUPPORTED, "no @%s", it->entry);
  TRY(assay_signature_of(function, it->arena, &it->signature, err));
  if (strcmp(it->entry, "main") == 0 && it->signature.input_count == 0 &&
      it->signature.result_count == 0) {
    *out_text = assay_module_text(module, false, it->arena);
    return ASSAY_OK;
  }
  MlirAttribute type =
      mlirOperationGetAttributeByName(function, mlirStringRefCreateFromCString("function_type"));
  const assay_subject_entry entry = {.name = it->entry,
                                     .input_type = type_text(mlirTypeAttrGetValue(type), it->arena),
                                     .data_count = 1,
                                     .data = {data},
                                     .cautious = cautious};
  TRY(assay_runs_arguments(request, it->arena, &entry, data, &it->arguments, err));
  if (it->arguments == NULL && it->signature.input_count > 0)
    return assay_fail(err, ASSAY_UNSUPPORTED, "its arguments cannot be made");
  it->entry = rename_main(module, function, it->entry);
  TRY(add_call(it, err));
  return join(it, assay_module_text(module, false, it->arena), out_text, err);
}

assay_code assay_caller_write(const assay_ledger_request *request, assay_arena *arena,
                              const char *text, const char *entry, int data, bool cautious,
                              const char **out_text, assay_error *err) {
  caller it = {.arena = arena, .entry = entry};
  assay_text *const texts[] = {&it.globals, &it.body, &it.operands, &it.types};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    texts[i]->arena = arena;
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, request->context);
  MlirModule module = mlirModuleCreateParse(request->context, mlirStringRefCreateFromCString(text));
  assay_code code = ASSAY_UNSUPPORTED;
  if (mlirModuleIsNull(module))
    (void)!assay_fail(err, code, "it does not parse");
  else
    code = write(request, &it, module, data, cautious, out_text, err);
  assay_diagnostics_close(&diagnostics);
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  return code;
}
