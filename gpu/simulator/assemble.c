// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/assemble.h"

#include "compiler/ir/diagnostics.h"
#include "compiler/lower/object.h"
#include "gpu/simulator/prelude.h"
#include "gpu/simulator/table.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <mlir-c/Pass.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdlib.h>
#include <string.h>

static assay_code fail_with(char *message, const char *what, assay_error *err) {
  assay_code code = assay_fail(err, ASSAY_FAILED, "%s: %s", what, message);
  LLVMDisposeMessage(message);
  return code;
}

// Gives the functions of the module the scopes without which LLVM drops their lines.
static assay_code add_scopes(MlirModule module, assay_error *err) {
  MlirContext context = mlirModuleGetContext(module);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirLogicalResult result = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString("builtin.module(ensure-debug-info-scope-on-llvm-func)"),
      assay_excerpt_append, &diagnostics.said);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  assay_diagnostics_close(&diagnostics);
  if (mlirLogicalResultIsSuccess(result))
    return ASSAY_OK;
  return assay_diagnostics_fail(&diagnostics, "scopes of kernels", err);
}

// The LLVM module of a gpu.module, as the NVPTX backend gets it, with lines.
static assay_code translate(MlirOperation gpu_module, LLVMContextRef context,
                            LLVMModuleRef *out_module, assay_error *err) {
  MlirModule around = mlirModuleCreateEmpty(mlirOperationGetLocation(gpu_module));
  MlirOperation clone = mlirOperationClone(gpu_module);
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(around), clone);
  assay_code code = add_scopes(around, err);
  if (code == ASSAY_OK) {
    assay_diagnostics diagnostics;
    assay_diagnostics_open(&diagnostics, mlirOperationGetContext(gpu_module));
    *out_module = mlirTranslateModuleToLLVMIR(clone, context);
    assay_diagnostics_close(&diagnostics);
    if (*out_module == NULL)
      code = assay_diagnostics_fail(&diagnostics, "translation of kernels to LLVM IR", err);
  }
  mlirModuleDestroy(around);
  return code;
}

static assay_code parse(LLVMModuleRef module, const assay_text *text, LLVMModuleRef *out_parsed,
                        assay_error *err) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text->data, text->length, "prelude");
  char *message;
  if (LLVMParseIRInContext(LLVMGetModuleContext(module), buffer, out_parsed, &message) != 0)
    return fail_with(message, "the simulator's prelude", err);
  LLVMSetTarget(*out_parsed, LLVMGetTarget(module));
  LLVMSetDataLayout(*out_parsed, LLVMGetDataLayoutStr(module));
  return ASSAY_OK;
}

// Consumes the other module.
static assay_code link_into(LLVMModuleRef module, LLVMModuleRef other, assay_error *err) {
  if (LLVMLinkModules2(module, other) != 0)
    return assay_fail(err, ASSAY_FAILED, "kernels and the simulator's prelude do not fit together");
  return ASSAY_OK;
}

// Nothing is seen from outside but the table, so that no name of a kernel meets one of the process.
static void hide_all(LLVMModuleRef module) {
  size_t length;
  for (LLVMValueRef at = LLVMGetFirstFunction(module); at != NULL; at = LLVMGetNextFunction(at))
    if (!LLVMIsDeclaration(at))
      LLVMSetLinkage(at, LLVMInternalLinkage);
  for (LLVMValueRef at = LLVMGetFirstGlobal(module); at != NULL; at = LLVMGetNextGlobal(at))
    if (!LLVMIsDeclaration(at) && strcmp(LLVMGetValueName2(at, &length), ASSAY_CODE_SYMBOL) != 0)
      LLVMSetLinkage(at, LLVMInternalLinkage);
}

// Large frames touch each of their pages in turn, so that none steps over the page that faults.
static void probe_stacks(LLVMModuleRef module) {
  static const char kind[] = "probe-stack", value[] = "inline-asm";
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(LLVMGetModuleContext(module), kind,
                                                         sizeof kind - 1, value, sizeof value - 1);
  for (LLVMValueRef at = LLVMGetFirstFunction(module); at != NULL; at = LLVMGetNextFunction(at))
    if (!LLVMIsDeclaration(at))
      LLVMAddAttributeAtIndex(at, LLVMAttributeFunctionIndex, attribute);
}

static assay_code rewrite_with_prelude(assay_rewrite *rewrite, assay_table *table,
                                       assay_error *err) {
  assay_prelude_print(rewrite->text);
  TRY(assay_table_make(rewrite, table, err));
  TRY(assay_rewrite_accesses(rewrite, err));
  TRY(parse(rewrite->module, rewrite->text, &rewrite->prelude, err));
  assay_code code = assay_rewrite_calls(rewrite, err);
  if (code != ASSAY_OK) {
    LLVMDisposeModule(rewrite->prelude);
    return code;
  }
  assay_table_find_barriers(rewrite, table);
  return link_into(rewrite->module, rewrite->prelude, err);
}

static assay_code rewrite_module(assay_rewrite *rewrite, uint64_t *out_data_bytes,
                                 assay_error *err) {
  assay_table table;
  TRY(rewrite_with_prelude(rewrite, &table, err));
  assay_text text = {.arena = rewrite->arena};
  assay_table_print(rewrite, &table, &text);
  LLVMModuleRef parsed;
  TRY(parse(rewrite->module, &text, &parsed, err));
  TRY(link_into(rewrite->module, parsed, err));
  hide_all(rewrite->module);
  probe_stacks(rewrite->module);
  LLVMStripModuleDebugInfo(rewrite->module);
  *out_data_bytes = table.data_bytes;
  char *message;
  if (LLVMVerifyModule(rewrite->module, LLVMReturnStatusAction, &message) != 0)
    return fail_with(message, "kernels with the simulator's checks", err);
  LLVMDisposeMessage(message);
  return ASSAY_OK;
}

static assay_code rewrite_for(const assay_target *target, LLVMModuleRef module,
                              uint64_t *out_data_bytes, assay_error *err) {
  assay_target_prepare(target, module);
  assay_arena *arena = assay_arena_create();
  assay_text text = {.arena = arena};
  assay_rewrite rewrite = {.arena = arena,
                           .module = module,
                           .layout = LLVMGetModuleDataLayout(module),
                           .text = &text,
                           .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  assay_code code = rewrite_module(&rewrite, out_data_bytes, err);
  free(rewrite.sites);
  LLVMDisposeBuilder(rewrite.builder);
  assay_arena_destroy(arena);
  return code;
}

static assay_code compile(const assay_target *target, LLVMModuleRef module, void **out_bytes,
                          size_t *out_size, assay_error *err) {
  assay_code_header header = {.magic = ASSAY_CODE_MAGIC};
  TRY(rewrite_for(target, module, &header.data_bytes, err));
  void *object;
  size_t size;
  TRY(assay_target_generate(target, module, &object, &size, err));
  *out_size = sizeof header + size;
  *out_bytes = malloc(*out_size);
  if (*out_bytes == NULL) {
    free(object);
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this process has no memory for the kernels: %zu bytes asked for", *out_size);
  }
  memcpy(*out_bytes, &header, sizeof header);
  memcpy((char *)*out_bytes + sizeof header, object, size);
  free(object);
  return ASSAY_OK;
}

assay_code assay_simulator_assemble(MlirOperation gpu_module, void **out_bytes, size_t *out_size,
                                    assay_error *err) {
  assay_target *target;
  TRY(assay_target_create(NULL, &target, err));
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  assay_code code = translate(gpu_module, context, &module, err);
  if (code == ASSAY_OK) {
    code = compile(target, module, out_bytes, out_size, err);
    LLVMDisposeModule(module);
  }
  LLVMContextDispose(context);
  assay_target_destroy(target);
  return code;
}
