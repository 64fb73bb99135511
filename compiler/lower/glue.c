// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/glue.h"

#include "compiler/lower/object.h"
#include "compiler/runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 16 }; // of a runtime entry, the runtime included

static void add_attribute(LLVMValueRef function, LLVMAttributeIndex index, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(context, kind, 0));
}

static LLVMBuilderRef begin_body(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  return builder;
}

// The external variable whose address is the program's runtime. Its type is of no matter.
static LLVMValueRef runtime_of(LLVMModuleRef module) {
  static const char name[] = "assay_runtime";
  LLVMValueRef runtime = LLVMGetNamedGlobal(module, name);
  if (runtime == NULL)
    runtime = LLVMAddGlobal(module, LLVMInt8TypeInContext(LLVMGetModuleContext(module)), name);
  return runtime;
}

// Gives the declaration that compiled code calls a body: the real entry, called with the runtime.
static void bind(LLVMModuleRef module, LLVMValueRef called, const assay_runtime_entry *entry) {
  LLVMTypeRef type = LLVMGlobalGetValueType(called), result = LLVMGetReturnType(type);
  unsigned count = LLVMCountParamTypes(type);
  if (count >= MAX_ARGUMENTS)
    abort(); // the table of entries and this room disagree
  LLVMTypeRef types[MAX_ARGUMENTS] = {LLVMTypeOf(runtime_of(module))};
  LLVMGetParamTypes(type, types + 1);
  LLVMValueRef arguments[MAX_ARGUMENTS] = {runtime_of(module)};
  for (unsigned i = 0; i < count; i++)
    arguments[i + 1] = LLVMGetParam(called, i);
  LLVMTypeRef real_type = LLVMFunctionType(result, types, count + 1, 0);
  LLVMValueRef real = LLVMAddFunction(module, entry->symbol, real_type);
  if (entry->allocates)
    add_attribute(real, LLVMAttributeReturnIndex, "noalias");
  LLVMBuilderRef builder = begin_body(called);
  LLVMValueRef call = LLVMBuildCall2(builder, real_type, real, arguments, count + 1, "");
  if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, call);
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(called, LLVMInternalLinkage);
  add_attribute(called, LLVMAttributeFunctionIndex, "alwaysinline");
}

// void assay_entry(void **args): calls main's C interface with args[0], args[1], ...
static void add_entry(LLVMModuleRef module, LLVMValueRef main_function) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, 0);
  LLVMValueRef entry = LLVMAddFunction(module, ASSAY_ENTRY, type);
  LLVMBuilderRef builder = begin_body(entry);
  unsigned count = LLVMCountParams(main_function);
  LLVMValueRef *arguments = calloc(count + 1, sizeof *arguments);
  if (arguments == NULL)
    abort();
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), i, 0);
    LLVMValueRef slot = LLVMBuildGEP2(builder, pointer, LLVMGetParam(entry, 0), &index, 1, "");
    arguments[i] = LLVMBuildLoad2(builder, pointer, slot, "");
  }
  LLVMTypeRef main_type = LLVMGlobalGetValueType(main_function);
  LLVMBuildCall2(builder, main_type, main_function, arguments, count, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  free(arguments);
}

// LLVM's list of functions to call, each with a priority and what it is for: becomes a function
// that the loader calls. (Of priorities a program has one.)
static void add_calls(LLVMModuleRef module, const char *list_name, const char *name) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, list_name);
  if (list == NULL)
    return;
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
  LLVMBuilderRef builder = begin_body(LLVMAddFunction(module, name, type));
  LLVMValueRef calls = LLVMGetInitializer(list);
  for (int i = 0; i < LLVMGetNumOperands(calls); i++)
    LLVMBuildCall2(builder, type, LLVMGetOperand(LLVMGetOperand(calls, (unsigned)i), 1), NULL, 0,
                   "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  LLVMDeleteGlobal(list);
}

assay_code assay_glue_add(LLVMModuleRef module, const assay_runtime_entry *entries,
                          assay_error *err) {
  LLVMValueRef main_function = LLVMGetNamedFunction(module, "_mlir_ciface_main");
  if (main_function == NULL)
    return assay_fail(err, ASSAY_FAILED, "the lowered module has no @main with a C interface");
  add_entry(module, main_function);
  add_calls(module, "llvm.global_ctors", ASSAY_LOAD);
  add_calls(module, "llvm.global_dtors", ASSAY_UNLOAD);
  for (const assay_runtime_entry *entry = entries; entry->called != NULL; entry++) {
    LLVMValueRef called = LLVMGetNamedFunction(module, entry->called);
    if (entry->bound && called != NULL && LLVMIsDeclaration(called))
      bind(module, called, entry);
  }
  return ASSAY_OK;
}
