// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVVM's intrinsics and CUDA's mathematical functions, as the simulator has them.
#include "gpu/simulator/entries.h"
#include "gpu/simulator/prelude.h"
#include "gpu/simulator/rewrite.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The declaration of the prelude's function in the module.
static LLVMValueRef declare(const assay_rewrite *rewrite, LLVMValueRef defined, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(rewrite->module, name);
  if (function == NULL)
    function = LLVMAddFunction(rewrite->module, name, LLVMGlobalGetValueType(defined));
  return function;
}

static void replace_call(assay_rewrite *rewrite, LLVMValueRef call, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  unsigned given = LLVMGetNumArgOperands(call), taken = LLVMCountParamTypes(type);
  LLVMValueRef *arguments = calloc(taken + 1, sizeof *arguments);
  if (arguments == NULL)
    abort();
  for (unsigned i = 0; i < given; i++)
    arguments[i] = LLVMGetOperand(call, i);
  if (taken > given)
    arguments[given] = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(rewrite->module)),
                                    assay_rewrite_site(rewrite, call, 0, 1, ASSAY_ACCESS_READ), 0);
  LLVMPositionBuilderBefore(rewrite->builder, call);
  LLVMValueRef new_call = LLVMBuildCall2(rewrite->builder, type, function, arguments, taken, "");
  LLVMReplaceAllUsesWith(call, new_call);
  LLVMInstructionEraseFromParent(call);
  free(arguments);
}

// The parameters of the intrinsic, with or without a site behind them, and its result.
static bool fits(LLVMTypeRef defined, LLVMTypeRef called) {
  unsigned taken = LLVMCountParamTypes(defined), given = LLVMCountParamTypes(called);
  if (taken != given && taken != given + 1)
    return false;
  LLVMTypeRef types[32], others[32];
  if (taken > 32)
    return false;
  LLVMGetParamTypes(defined, types);
  LLVMGetParamTypes(called, others);
  for (unsigned i = 0; i < given; i++)
    if (types[i] != others[i])
      return false;
  return LLVMGetReturnType(defined) == LLVMGetReturnType(called);
}

static assay_code unknown(LLVMValueRef function, const char *name, assay_error *err) {
  LLVMUseRef use = LLVMGetFirstUse(function);
  LLVMValueRef user = use != NULL ? LLVMGetUser(use) : NULL;
  unsigned line = user != NULL && LLVMIsAInstruction(user) != NULL ? LLVMGetDebugLocLine(user) : 0;
  return assay_fail(err, ASSAY_FAILED, "line %u: the simulator does not know %s", line, name);
}

static assay_code rewrite_intrinsic(assay_rewrite *rewrite, LLVMValueRef function, const char *name,
                                    assay_error *err) {
  const char *ours = assay_arena_format(rewrite->arena, ASSAY_PRELUDE_PREFIX "%s", name);
  LLVMValueRef defined = LLVMGetNamedFunction(rewrite->prelude, ours);
  if (defined == NULL || !fits(LLVMGlobalGetValueType(defined), LLVMGlobalGetValueType(function)))
    return unknown(function, name, err);
  LLVMValueRef declared = declare(rewrite, defined, ours);
  for (LLVMUseRef use; (use = LLVMGetFirstUse(function)) != NULL;)
    replace_call(rewrite, LLVMGetUser(use), declared);
  return ASSAY_OK;
}

// What the library's mathematical functions are to the optimiser: arithmetic.
static void mark_arithmetic(LLVMValueRef function) {
  static const char *const names[] = {"nounwind", "willreturn", "memory"};
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  for (int i = 0; i < 3; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0)); // memory(none)
  }
}

assay_code assay_rewrite_calls(assay_rewrite *rewrite, assay_error *err) {
  LLVMValueRef next;
  for (LLVMValueRef function = LLVMGetFirstFunction(rewrite->module); function != NULL;
       function = next) {
    next = LLVMGetNextFunction(function);
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (!LLVMIsDeclaration(function) || LLVMGetFirstUse(function) == NULL ||
        strncmp(name, ASSAY_PRELUDE_PREFIX, strlen(ASSAY_PRELUDE_PREFIX)) == 0)
      continue;
    if (strncmp(name, "llvm.nvvm.", 10) == 0)
      TRY(rewrite_intrinsic(rewrite, function, name, err));
    else if (assay_simulator_knows(name))
      mark_arithmetic(function);
    else if (LLVMGetIntrinsicID(function) == 0)
      return unknown(function, name, err);
  }
  return ASSAY_OK;
}
