// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/link.h"

#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/tail/poison.h"
#include "compiler/tail/stand_in.h"

#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assay_code_image {
  LLVMOrcLLJITRef jit;
  uint64_t hash;        // of the object file
  assay_excerpt report; // what ORC said first while linking
};

static assay_code fail_with(char *message, const char *what, assay_error *err) {
  assay_code code = assay_fail(err, ASSAY_UNSUPPORTED, "%s: %s", what, message);
  LLVMDisposeMessage(message);
  return code;
}

static assay_code check(LLVMErrorRef error, const char *what, assay_error *err) {
  if (error == NULL)
    return ASSAY_OK;
  char *message = LLVMGetErrorMessage(error);
  assay_code code = assay_fail(err, ASSAY_UNSUPPORTED, "%s: %s", what, message);
  LLVMDisposeErrorMessage(message);
  return code;
}

static assay_code create_machine(bool optimise, LLVMTargetMachineRef *out_machine,
                                 assay_error *err) {
  if (LLVMInitializeNativeTarget() != 0 || LLVMInitializeNativeAsmPrinter() != 0)
    return assay_fail(err, ASSAY_FAILED, "LLVM cannot generate code for this processor");
  char *triple = LLVMGetDefaultTargetTriple(), *message;
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message) != 0) {
    LLVMDisposeMessage(triple);
    return fail_with(message, "LLVM has no target for this processor", err);
  }
  char *cpu = LLVMGetHostCPUName(), *host = LLVMGetHostCPUFeatures();
  // Conversions to bf16 in hardware flush subnormal numbers, and arithmetic on f16 in hardware
  // rounds where other processors do not: states are compared to the bit.
  char *features = malloc(strlen(host) + 64);
  if (features == NULL)
    abort();
  sprintf(features, "%s%s", host,
          strstr(triple, "x86_64") != NULL ? ",-avx512bf16,-avxneconvert,-avx512fp16" : "");
  *out_machine = LLVMCreateTargetMachine(target, triple, cpu, features,
                                         optimise ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone,
                                         LLVMRelocPIC, LLVMCodeModelDefault);
  free(features);
  LLVMDisposeMessage(host);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
  return ASSAY_OK;
}

static assay_code optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, assay_error *err) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "default<O2>", machine, options);
  LLVMDisposePassBuilderOptions(options);
  return check(error, "LLVM's optimiser", err);
}

// What nobody calls by name need not be kept.
static void hide_functions(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (LLVMIsDeclaration(f) == 0 && strcmp(LLVMGetValueName(f), ASSAY_TAIL_ENTRY) != 0)
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

static assay_code generate(LLVMModuleRef module, LLVMTargetMachineRef machine,
                           const assay_link_options *options, LLVMMemoryBufferRef *out_object,
                           assay_error *err) {
  char *triple = LLVMGetTargetMachineTriple(machine), *message;
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  assay_stand_in(module, options);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  if (options->poison_allocas)
    assay_poison_stack(module, layout);
  LLVMDisposeTargetData(layout);
  if (options->optimise) {
    hide_functions(module);
    TRY(optimise(module, machine, err));
  }
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, out_object) !=
      0)
    return fail_with(message, "LLVM's code generator", err);
  return ASSAY_OK;
}

// Sizes are folded while the module is translated: by the host's layout, or they are wrong.
static void set_layout(MlirModule module, LLVMTargetMachineRef machine) {
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *text = LLVMCopyStringRepOfTargetData(layout);
  MlirOperation operation = mlirModuleGetOperation(module);
  mlirOperationSetAttributeByName(
      operation, mlirStringRefCreateFromCString("llvm.data_layout"),
      mlirStringAttrGet(mlirOperationGetContext(operation), mlirStringRefCreateFromCString(text)));
  LLVMDisposeMessage(text);
  LLVMDisposeTargetData(layout);
}

static assay_code translate(MlirModule module, LLVMContextRef context, LLVMModuleRef *out_module,
                            assay_error *err) {
  MlirOperation operation = mlirModuleGetOperation(module);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlirOperationGetContext(operation));
  *out_module = mlirTranslateModuleToLLVMIR(operation, context);
  assay_diagnostics_close(&diagnostics);
  if (*out_module != NULL)
    return ASSAY_OK;
  if (assay_diagnostics_fail(&diagnostics, "translation to LLVM IR", err) != ASSAY_OK)
    err->code = ASSAY_UNSUPPORTED;
  return err->code;
}

static assay_code compile(MlirModule module, const assay_link_options *options,
                          LLVMMemoryBufferRef *out_object, assay_error *err) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMTargetMachineRef machine = NULL;
  LLVMModuleRef translated = NULL;
  assay_code code = create_machine(options->optimise, &machine, err);
  if (code == ASSAY_OK) {
    set_layout(module, machine);
    code = translate(module, context, &translated, err);
  }
  if (code == ASSAY_OK) {
    code = generate(translated, machine, options, out_object, err);
    LLVMDisposeModule(translated);
  }
  if (machine != NULL)
    LLVMDisposeTargetMachine(machine);
  LLVMContextDispose(context);
  return code;
}

// ORC tells causes (a missing symbol) to its session, which would print them.
static void keep_report(void *data, LLVMErrorRef error) {
  assay_code_image *image = data;
  char *message = LLVMGetErrorMessage(error);
  if (image->report.length == 0)
    assay_excerpt_append(mlirStringRefCreateFromCString(message), &image->report);
  LLVMDisposeErrorMessage(message);
}

enum { MOST_SYMBOLS = 1024 };

static void add_symbol(assay_code_image *image, LLVMOrcCSymbolMapPair *pairs, size_t *count,
                       const char *name, uintptr_t address) {
  LLVMOrcSymbolStringPoolEntryRef interned = LLVMOrcLLJITMangleAndIntern(image->jit, name);
  for (size_t i = 0; i < *count; i++)
    if (pairs[i].Name == interned) {
      LLVMOrcReleaseSymbolStringPoolEntry(interned);
      return;
    }
  if (*count == MOST_SYMBOLS)
    abort(); // the tables have outgrown this array
  pairs[(*count)++] = (LLVMOrcCSymbolMapPair){
      .Name = interned,
      .Sym = {.Address = address, .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}},
  };
}

static assay_code define_symbols(assay_code_image *image, const assay_link_options *options,
                                 assay_error *err) {
  LLVMOrcCSymbolMapPair *pairs = malloc(MOST_SYMBOLS * sizeof *pairs);
  if (pairs == NULL)
    abort();
  size_t count = 0;
  add_symbol(image, pairs, &count, ASSAY_POISON_SYMBOL, (uintptr_t)options->poison);
  for (const assay_record_symbol *const *list = options->symbols; *list != NULL; list++)
    for (const assay_record_symbol *s = *list; s->name != NULL; s++)
      add_symbol(image, pairs, &count, s->name, (uintptr_t)s->address);
  LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(image->jit),
                                             LLVMOrcAbsoluteSymbols(pairs, count));
  free(pairs);
  return check(error, "linking", err);
}

static assay_code link_object(assay_code_image *image, LLVMMemoryBufferRef object,
                              const assay_link_options *options, assay_error *err) {
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(image->jit);
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(image->jit), keep_report,
                                          image);
  LLVMOrcDefinitionGeneratorRef process;
  assay_code code = check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                              &process, LLVMOrcLLJITGetGlobalPrefix(image->jit), NULL, NULL),
                          "linking", err);
  if (code == ASSAY_OK) {
    LLVMOrcJITDylibAddGenerator(library, process);
    code = define_symbols(image, options, err);
  }
  if (code != ASSAY_OK) {
    LLVMDisposeMemoryBuffer(object);
    return code;
  }
  TRY(check(LLVMOrcLLJITAddObjectFile(image->jit, library, object), "loading an object", err));
  LLVMOrcExecutorAddress entry;
  code = check(LLVMOrcLLJITLookup(image->jit, &entry, ASSAY_TAIL_ENTRY), "linking", err);
  if (code != ASSAY_OK && image->report.length > 0)
    code = assay_fail(err, code, "linking: %s", image->report.text);
  return code;
}

assay_code assay_code_link(MlirModule module, const assay_link_options *options,
                           assay_code_image **out_image, assay_error *err) {
  LLVMMemoryBufferRef object = NULL;
  TRY(compile(module, options, &object, err));
  assay_code_image *image = calloc(1, sizeof *image);
  if (image == NULL)
    abort();
  image->hash =
      assay_hash_bytes(ASSAY_HASH_START, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
  assay_code code = check(LLVMOrcCreateLLJIT(&image->jit, NULL), "LLVM's JIT", err);
  if (code != ASSAY_OK)
    LLVMDisposeMemoryBuffer(object);
  else
    code = link_object(image, object, options, err);
  if (code != ASSAY_OK)
    assay_code_unlink(image);
  else
    *out_image = image;
  return code;
}

uint64_t assay_code_hash(const assay_code_image *image) {
  return image->hash;
}

void *assay_code_address(const assay_code_image *image, const char *name) {
  LLVMOrcExecutorAddress address;
  LLVMErrorRef error = LLVMOrcLLJITLookup(image->jit, &address, name);
  if (error == NULL)
    return (void *)(uintptr_t)address;
  LLVMConsumeError(error);
  return NULL;
}

void assay_code_unlink(assay_code_image *image) {
  if (image == NULL)
    return;
  if (image->jit != NULL)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(image->jit));
  free(image);
}
