// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/call.h"

#include "compiler/bridge/tail_rewrite.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirStringRef string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

MlirOperation assay_call_find(MlirModule module, const char *name) {
  MlirSymbolTable table = mlirSymbolTableCreate(mlirModuleGetOperation(module));
  MlirOperation found = mlirSymbolTableLookup(table, string(name));
  mlirSymbolTableDestroy(table);
  return found;
}

static bool is_named(MlirOperation operation, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(operation)), string(name));
}

static bool has_body(MlirOperation function) {
  return mlirOperationGetNumRegions(function) > 0 &&
         !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

typedef struct calling {
  MlirModule module;
  const assay_tail_request *request;
  assay_arena *arena;
} calling;

// A function of the program may have the name of one that the tail, or LLVM, takes for libm's or
// the runner library's.
static assay_code rename_functions(const calling *it, assay_error *err) {
  MlirOperation top = mlirModuleGetOperation(it->module);
  MlirBlock body = mlirModuleGetBody(it->module);
  MlirStringRef symbol = mlirSymbolTableGetSymbolAttributeName();
  for (MlirOperation at = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(at);
       at = mlirOperationGetNextInBlock(at)) {
    if ((!is_named(at, "func.func") && !is_named(at, "llvm.func")) || !has_body(at))
      continue;
    MlirStringRef old = mlirStringAttrGetValue(mlirOperationGetAttributeByName(at, symbol));
    char *name = assay_arena_format(it->arena, "__assay_user_%.*s", (int)old.length, old.data);
    if (mlirLogicalResultIsFailure(mlirSymbolTableReplaceAllSymbolUses(old, string(name), top)))
      return assay_fail(err, ASSAY_UNSUPPORTED, "the uses of @%.*s are not all known",
                        (int)old.length, old.data);
    mlirOperationSetAttributeByName(at, symbol,
                                    mlirStringAttrGet(it->request->context, string(name)));
  }
  return ASSAY_OK;
}

// Tensors as the buffers that they became when no state between was seen.
static void bufferize(MlirType *types, int count) {
  for (int i = 0; i < count; i++) {
    MlirAttribute none = {NULL};
    if (mlirTypeIsAUnrankedTensor(types[i]))
      types[i] = mlirUnrankedMemRefTypeGet(mlirShapedTypeGetElementType(types[i]), none);
    if (!mlirTypeIsARankedTensor(types[i]))
      continue;
    int64_t dim[64], rank = mlirShapedTypeGetRank(types[i]);
    for (int64_t d = 0; d < rank && d < 64; d++)
      dim[d] = mlirShapedTypeGetDimSize(types[i], d);
    types[i] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(types[i]),
                                           rank < 64 ? rank : 64, dim, none);
  }
}

static assay_code state_signature(const calling *it, MlirOperation entry, bool is_llvm,
                                  assay_signature *out_signature, assay_error *err) {
  const assay_tail_request *request = it->request;
  if (!is_llvm)
    return assay_signature_of(entry, it->arena, out_signature, err);
  const char *type = request->last_type != NULL && request->last_type[0] != '\0'
                         ? request->last_type
                         : request->input_type;
  TRY(assay_signature_parse(request->context, type, it->arena, out_signature, err));
  bufferize(out_signature->inputs, out_signature->input_count);
  bufferize(out_signature->results, out_signature->result_count);
  return ASSAY_OK;
}

assay_code assay_call_add(MlirModule module, const assay_tail_request *request, assay_arena *arena,
                          assay_border *out_border, assay_error *err) {
  const calling it = {.module = module, .request = request, .arena = arena};
  TRY(rename_functions(&it, err));
  const char *name = assay_arena_format(arena, "__assay_user_%s", request->entry);
  MlirOperation entry = assay_call_find(module, name);
  if (mlirOperationIsNull(entry))
    return assay_fail(err, ASSAY_UNSUPPORTED, "there is no function @%s with a body",
                      request->entry);
  assay_rewrite_drop_unreached(module, name);
  bool is_llvm = is_named(entry, "llvm.func");
  assay_signature user, state;
  TRY(assay_signature_parse(request->context, request->input_type, arena, &user, err));
  TRY(state_signature(&it, entry, is_llvm, &state, err));
  TRY(assay_border_match(request, &user, &state, arena, out_border, err));
  if (is_llvm)
    return assay_border_wrap_llvm(module, entry, out_border, arena, err);
  return assay_border_wrap(module, name, out_border, arena, err);
}
