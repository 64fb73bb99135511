// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: a module of the llvm dialect, optimised as samples are and linked into this process.
#ifndef ASSAY_COMPILER_ROUNDING_ROUNDING_TESTING_H
#define ASSAY_COMPILER_ROUNDING_ROUNDING_TESTING_H

#include "compiler/rounding/rounding.h"

#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/RegisterEverything.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct jitted {
  LLVMOrcLLJITRef jit;
  uint64_t *seed;
  int32_t *amplitude;
} jitted;

static inline void jitted_check(LLVMErrorRef error) {
  if (error == NULL)
    return;
  fprintf(stderr, "LLVM: %s\n", LLVMGetErrorMessage(error));
  abort();
}

static inline uintptr_t jitted_find(const jitted *it, const char *name) {
  LLVMOrcExecutorAddress address;
  jitted_check(LLVMOrcLLJITLookup(it->jit, &address, name));
  return (uintptr_t)address;
}

static inline LLVMTargetMachineRef jitted_machine(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  char *triple = LLVMGetDefaultTargetTriple(), *message, *cpu = LLVMGetHostCPUName(),
       *features = LLVMGetHostCPUFeatures();
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(triple, &target, &message) != 0)
    abort();
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, triple, cpu, features, LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
  return machine;
}

static inline void jitted_define(const jitted *it) {
  LLVMOrcCSymbolMapPair pairs[128];
  size_t count = 0;
  for (const assay_rounding_symbol *symbol = assay_rounding_symbols(); symbol->name != NULL;
       symbol++) {
    if (count == sizeof pairs / sizeof pairs[0])
      abort();
    pairs[count++] = (LLVMOrcCSymbolMapPair){
        .Name = LLVMOrcLLJITMangleAndIntern(it->jit, symbol->name),
        .Sym = {.Address = (uintptr_t)symbol->address,
                .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}}};
  }
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(it->jit);
  jitted_check(LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs, count)));
}

// The instrumented module, compiled. Aborts where that fails.
static inline jitted jitted_open(MlirModule module) {
  jitted it = {.jit = NULL};
  LLVMTargetMachineRef machine = jitted_machine();
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef code = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), context);
  if (code == NULL)
    abort();
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(code, layout);
  LLVMDisposeTargetData(layout);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  jitted_check(LLVMRunPasses(code, "default<O2>", machine, options));
  LLVMDisposePassBuilderOptions(options);
  char *message;
  LLVMMemoryBufferRef object;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, code, LLVMObjectFile, &message, &object) != 0)
    abort();
  jitted_check(LLVMOrcCreateLLJIT(&it.jit, NULL));
  jitted_define(&it);
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(it.jit);
  jitted_check(LLVMOrcLLJITAddObjectFile(it.jit, library, object));
  LLVMDisposeModule(code);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  it.seed = (uint64_t *)jitted_find(&it, ASSAY_ROUNDING_SEED);
  it.amplitude = (int32_t *)jitted_find(&it, ASSAY_ROUNDING_AMPLITUDE);
  return it;
}

static inline void jitted_close(jitted *it) {
  LLVMConsumeError(LLVMOrcDisposeLLJIT(it->jit));
}

#endif
