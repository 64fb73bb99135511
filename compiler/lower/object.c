// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/object.h"
#include "compiler/base/clock.h"

#include "compiler/ir/diagnostics.h"
#include "compiler/lower/glue.h"

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <mlir-c/Target/LLVMIR.h>
#include <stdlib.h>
#include <string.h>

struct assay_target {
  const assay_runtime_entry *entries;
  LLVMTargetMachineRef machine;
};

// Takes LLVM's message over into err.
static assay_code fail_with(char *message, const char *what, assay_error *err) {
  assay_code code = assay_fail(err, ASSAY_FAILED, "%s: %s", what, message);
  LLVMDisposeMessage(message);
  return code;
}

assay_code assay_target_create(const assay_runtime_entry *entries, assay_target **out_target,
                               assay_error *err) {
  if (LLVMInitializeNativeTarget() != 0 || LLVMInitializeNativeAsmPrinter() != 0)
    return assay_fail(err, ASSAY_FAILED, "LLVM cannot generate code for this processor");
  char *triple = LLVMGetDefaultTargetTriple(), *message;
  LLVMTargetRef llvm_target;
  if (LLVMGetTargetFromTriple(triple, &llvm_target, &message) != 0) {
    LLVMDisposeMessage(triple);
    return fail_with(message, "LLVM has no target for this processor", err);
  }
  char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
  assay_target *target = malloc(sizeof *target);
  if (target == NULL)
    abort();
  target->entries = entries;
  target->machine =
      LLVMCreateTargetMachine(llvm_target, triple, cpu, features, LLVMCodeGenLevelDefault,
                              LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMDisposeMessage(features);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(triple);
  *out_target = target;
  return ASSAY_OK;
}

void assay_target_destroy(assay_target *target) {
  if (target == NULL)
    return;
  LLVMDisposeTargetMachine(target->machine);
  free(target);
}

static assay_code optimise(const assay_target *target, LLVMModuleRef module, assay_error *err) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  // Contractions come unrolled; more of it costs a third of the compile time of odd sizes.
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
  LLVMErrorRef error = LLVMRunPasses(module, "default<O2>", target->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error == NULL)
    return ASSAY_OK;
  char *message = LLVMGetErrorMessage(error);
  assay_code code = assay_fail(err, ASSAY_FAILED, "LLVM's optimiser: %s", message);
  LLVMDisposeErrorMessage(message);
  return code;
}

static assay_code generate(const assay_target *target, LLVMModuleRef module, void **out_bytes,
                           size_t *out_size, assay_error *err) {
  char *message;
  LLVMMemoryBufferRef buffer;
  if (LLVMTargetMachineEmitToMemoryBuffer(target->machine, module, LLVMObjectFile, &message,
                                          &buffer) != 0)
    return fail_with(message, "LLVM's code generator", err);
  *out_size = LLVMGetBufferSize(buffer);
  *out_bytes = malloc(*out_size);
  if (*out_bytes == NULL)
    abort();
  memcpy(*out_bytes, LLVMGetBufferStart(buffer), *out_size);
  LLVMDisposeMemoryBuffer(buffer);
  return ASSAY_OK;
}

static int64_t count_instructions(LLVMModuleRef module) {
  int64_t count = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at))
        count++;
  return count;
}

void assay_target_prepare(const assay_target *target, LLVMModuleRef module) {
  char *triple = LLVMGetTargetMachineTriple(target->machine);
  LLVMSetTarget(module, triple);
  LLVMDisposeMessage(triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(target->machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
}

assay_code assay_target_generate(const assay_target *target, LLVMModuleRef module, void **out_bytes,
                                 size_t *out_size, assay_error *err) {
  TRY(optimise(target, module, err));
  return generate(target, module, out_bytes, out_size, err);
}

// Everything from the LLVM module on.
static assay_code compile(const assay_target *target, LLVMModuleRef module, void **out_bytes,
                          size_t *out_size, assay_costs *costs, assay_error *err) {
  assay_target_prepare(target, module);
  TRY(assay_glue_add(module, target->entries, err));
  double start = assay_clock_now();
  TRY(optimise(target, module, err));
  double optimised = assay_clock_now();
  TRY(generate(target, module, out_bytes, out_size, err));
  if (costs != NULL) {
    costs->seconds_optimise = optimised - start;
    costs->seconds_generate = assay_clock_now() - optimised;
    costs->llvm_instructions = count_instructions(module);
  }
  return ASSAY_OK;
}

assay_code assay_target_compile(const assay_target *target, MlirModule module, void **out_bytes,
                                size_t *out_size, assay_costs *costs, assay_error *err) {
  double start = assay_clock_now();
  MlirOperation operation = mlirModuleGetOperation(module);
  LLVMContextRef context = LLVMContextCreate();
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlirOperationGetContext(operation));
  LLVMModuleRef llvm_module = mlirTranslateModuleToLLVMIR(operation, context);
  assay_diagnostics_close(&diagnostics);
  if (costs != NULL)
    costs->seconds_translate = assay_clock_now() - start;
  assay_code code;
  if (llvm_module == NULL) {
    code = assay_diagnostics_fail(&diagnostics, "translation to LLVM IR", err);
  } else {
    code = compile(target, llvm_module, out_bytes, out_size, costs, err);
    LLVMDisposeModule(llvm_module);
  }
  LLVMContextDispose(context);
  return code;
}
