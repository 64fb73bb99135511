// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/poison.h"

#include <llvm-c/Core.h>
#include <stddef.h>

enum { LONGEST = 64 }; // bytes behind the symbol

typedef struct poisoner {
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  LLVMValueRef poison;
} poisoner;

static void fill_alloca(const poisoner *site, LLVMValueRef alloca) {
  LLVMContextRef context = LLVMGetModuleContext(site->module);
  LLVMTypeRef word = LLVMInt64TypeInContext(context), byte = LLVMInt8TypeInContext(context);
  LLVMPositionBuilderBefore(site->builder, LLVMGetNextInstruction(alloca));
  LLVMValueRef one =
      LLVMConstInt(word, LLVMABISizeOfType(site->layout, LLVMGetAllocatedType(alloca)), 0);
  LLVMValueRef count = LLVMBuildIntCast2(site->builder, LLVMGetOperand(alloca, 0), word, 0, "");
  LLVMValueRef size = LLVMBuildMul(site->builder, count, one, "");
  LLVMValueRef value = LLVMBuildLoad2(site->builder, byte, site->poison, "");
  LLVMBuildMemSet(site->builder, alloca, value, size, 1);
}

static int is_number(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVectorTypeKind)
    kind = LLVMGetTypeKind(LLVMGetElementType(type));
  return kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ||
         kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static int is_undefined(const poisoner *site, LLVMValueRef value) {
  if (LLVMIsUndef(value) == 0 && LLVMIsPoison(value) == 0)
    return 0;
  LLVMTypeRef type = LLVMTypeOf(value);
  return is_number(type) && LLVMABISizeOfType(site->layout, type) <= LONGEST;
}

static void define_operands(const poisoner *site, LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMPHI) // its operands belong to other blocks
    return;
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!is_undefined(site, operand))
      continue;
    LLVMPositionBuilderBefore(site->builder, instruction);
    LLVMValueRef bits = LLVMBuildLoad2(site->builder, LLVMTypeOf(operand), site->poison, "");
    LLVMSetAlignment(bits, 1);
    LLVMSetOperand(instruction, (unsigned)i, bits);
  }
}

void assay_poison_stack(LLVMModuleRef module, LLVMTargetDataRef layout) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  poisoner site = {.module = module, .layout = layout};
  site.builder = LLVMCreateBuilderInContext(context);
  site.poison = LLVMGetNamedGlobal(module, ASSAY_POISON_SYMBOL);
  if (site.poison == NULL)
    site.poison = LLVMAddGlobal(module, LLVMArrayType2(LLVMInt8TypeInContext(context), LONGEST),
                                ASSAY_POISON_SYMBOL);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i != NULL; i = next) {
        next = LLVMGetNextInstruction(i);
        define_operands(&site, i);
        if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
          fill_alloca(&site, i);
      }
  LLVMDisposeBuilder(site.builder);
}
