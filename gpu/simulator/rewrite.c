// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/rewrite.h"

#include "gpu/simulator/prelude.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_SPACE = 3 };

uint32_t assay_rewrite_site(assay_rewrite *rewrite, LLVMValueRef instruction, uint64_t width,
                            unsigned align, assay_access access) {
  if (rewrite->site_count == rewrite->site_capacity) {
    rewrite->site_capacity = rewrite->site_capacity * 2 + 64;
    assay_site *sites = realloc(rewrite->sites, rewrite->site_capacity * sizeof *sites);
    if (sites == NULL)
      abort();
    rewrite->sites = sites;
  }
  rewrite->sites[rewrite->site_count] = (assay_site){.line = LLVMGetDebugLocLine(instruction),
                                                     .width = (uint32_t)width,
                                                     .align = align,
                                                     .access = (uint32_t)access};
  return (uint32_t)rewrite->site_count++;
}

// Whether the address is within a thread's own stack for certain.
static bool is_private(LLVMValueRef pointer) {
  for (;;) {
    if (LLVMIsAAllocaInst(pointer) != NULL)
      return true;
    if (LLVMIsAGetElementPtrInst(pointer) == NULL && LLVMIsAAddrSpaceCastInst(pointer) == NULL)
      return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static bool is_shared(LLVMValueRef pointer) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == SHARED_SPACE;
}

static LLVMTypeRef pointer_type(const assay_rewrite *rewrite) {
  return LLVMPointerTypeInContext(LLVMGetModuleContext(rewrite->module), 0);
}

static LLVMValueRef number(const assay_rewrite *rewrite, uint32_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(rewrite->module)), value, 0);
}

// Every address but a shared one in the generic space, where the simulator's functions take it.
static LLVMValueRef generic(const assay_rewrite *rewrite, LLVMValueRef pointer) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == 0)
    return pointer;
  return LLVMBuildAddrSpaceCast(rewrite->builder, pointer, pointer_type(rewrite), "");
}

// The function that checks such accesses, printed into the text at its first use.
static LLVMValueRef access_function(assay_rewrite *rewrite, const assay_prelude_access *access) {
  const char *name = assay_arena_format(rewrite->arena, ASSAY_PRELUDE_PREFIX "%s.%u.%u%s",
                                        access->shared ? "shared" : "global", access->width,
                                        access->align, access->inlined ? ".inlined" : "");
  LLVMValueRef function = LLVMGetNamedFunction(rewrite->module, name);
  if (function != NULL)
    return function;
  assay_prelude_print_access(rewrite->text, name, access);
  LLVMContextRef context = LLVMGetModuleContext(rewrite->module);
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(context, access->shared ? SHARED_SPACE : 0),
                         LLVMInt32TypeInContext(context)};
  return LLVMAddFunction(rewrite->module, name,
                         LLVMFunctionType(pointer_type(rewrite), types, 2, 0));
}

// The checked address, before the instruction.
static LLVMValueRef check(assay_rewrite *rewrite, LLVMValueRef pointer, uint64_t width,
                          unsigned align, uint32_t site) {
  assay_prelude_access access = {.width = (unsigned)width,
                                 .align = align,
                                 .shared = is_shared(pointer),
                                 .inlined = is_shared(pointer) && rewrite->inlines};
  LLVMValueRef function = access_function(rewrite, &access);
  LLVMValueRef arguments[] = {access.shared ? pointer : generic(rewrite, pointer),
                              number(rewrite, site)};
  return LLVMBuildCall2(rewrite->builder, LLVMGlobalGetValueType(function), function, arguments, 2,
                        "");
}

// A load, store or atomic operation of one value.
static void check_access(assay_rewrite *rewrite, LLVMValueRef instruction, unsigned operand,
                         LLVMTypeRef type, assay_access access) {
  LLVMValueRef pointer = LLVMGetOperand(instruction, operand);
  if (is_private(pointer))
    return;
  uint64_t width = LLVMStoreSizeOfType(rewrite->layout, type);
  unsigned align = LLVMGetAlignment(instruction);
  LLVMPositionBuilderBefore(rewrite->builder, instruction);
  uint32_t site = assay_rewrite_site(rewrite, instruction, width, align, access);
  LLVMSetOperand(instruction, operand, check(rewrite, pointer, width, align, site));
}

// What an argument of a call is said to be a multiple of; 1: nothing.
static unsigned argument_align(LLVMValueRef call, unsigned operand) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
  return attribute == NULL ? 1 : (unsigned)LLVMGetEnumAttributeValue(attribute);
}

// One side of a memory intrinsic: its address in this process.
static LLVMValueRef check_range(assay_rewrite *rewrite, LLVMValueRef call, unsigned operand,
                                LLVMValueRef size, assay_access access) {
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  LLVMValueRef address = generic(rewrite, pointer);
  if (is_private(pointer))
    return address;
  static const char name[] = ASSAY_PRELUDE_PREFIX "range";
  LLVMTypeRef index = LLVMInt64TypeInContext(LLVMGetModuleContext(rewrite->module));
  LLVMValueRef function = LLVMGetNamedFunction(rewrite->module, name);
  if (function == NULL) {
    LLVMTypeRef types[] = {pointer_type(rewrite), index, LLVMTypeOf(number(rewrite, 0))};
    function = LLVMAddFunction(rewrite->module, name,
                               LLVMFunctionType(pointer_type(rewrite), types, 3, 0));
  }
  uint32_t site = assay_rewrite_site(rewrite, call, 0, argument_align(call, operand), access);
  LLVMValueRef arguments[] = {address, LLVMBuildZExtOrBitCast(rewrite->builder, size, index, ""),
                              number(rewrite, site)};
  return LLVMBuildCall2(rewrite->builder, LLVMGlobalGetValueType(function), function, arguments, 3,
                        "");
}

// llvm.memcpy, llvm.memmove and llvm.memset.
static void check_memory_call(assay_rewrite *rewrite, LLVMValueRef call, const char *name) {
  LLVMPositionBuilderBefore(rewrite->builder, call);
  LLVMValueRef size = LLVMGetOperand(call, 2);
  LLVMValueRef target = check_range(rewrite, call, 0, size, ASSAY_ACCESS_WRITE);
  if (strncmp(name, "llvm.memset", 11) == 0) {
    LLVMBuildMemSet(rewrite->builder, target, LLVMGetOperand(call, 1), size, 1);
  } else {
    LLVMValueRef source = check_range(rewrite, call, 1, size, ASSAY_ACCESS_READ);
    // The source may be the target, which memmove allows.
    LLVMBuildMemMove(rewrite->builder, target, 1, source, 1, size);
  }
  LLVMInstructionEraseFromParent(call);
}

static bool is_memory_call(const char *name) {
  return strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0 ||
         strncmp(name, "llvm.memset.", 12) == 0;
}

static const char *callee_name(LLVMValueRef call) {
  LLVMValueRef function = LLVMGetCalledValue(call);
  size_t length;
  return LLVMIsAFunction(function) != NULL ? LLVMGetValueName2(function, &length) : NULL;
}

static assay_code rewrite_instruction(assay_rewrite *rewrite, LLVMValueRef at, assay_error *err) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
    check_access(rewrite, at, 0, LLVMTypeOf(at), ASSAY_ACCESS_READ);
    return ASSAY_OK;
  case LLVMStore:
    check_access(rewrite, at, 1, LLVMTypeOf(LLVMGetOperand(at, 0)), ASSAY_ACCESS_WRITE);
    return ASSAY_OK;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    check_access(rewrite, at, 0, LLVMTypeOf(LLVMGetOperand(at, 1)), ASSAY_ACCESS_ATOMIC);
    return ASSAY_OK;
  case LLVMCall: {
    const char *name = callee_name(at);
    if (name == NULL)
      return assay_fail(err, ASSAY_FAILED,
                        "line %u: the simulator knows no calls of computed addresses and no "
                        "inline assembly",
                        LLVMGetDebugLocLine(at));
    if (is_memory_call(name))
      check_memory_call(rewrite, at, name);
    return ASSAY_OK;
  }
  default:
    return ASSAY_OK;
  }
}

// Loads and stores of shared memory, which innermost loops are made of. In short functions their
// checks are inlined; in long ones, unrolled as they are, that would double the time to compile.
static bool has_few_shared(LLVMValueRef function) {
  enum { FEW = 48 };
  int count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      count += (LLVMIsALoadInst(at) != NULL && is_shared(LLVMGetOperand(at, 0))) ||
               (LLVMIsAStoreInst(at) != NULL && is_shared(LLVMGetOperand(at, 1)));
  return count <= FEW;
}

static assay_code rewrite_function(assay_rewrite *rewrite, LLVMValueRef function,
                                   assay_error *err) {
  rewrite->inlines = has_few_shared(function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      TRY(rewrite_instruction(rewrite, at, err));
    }
  return ASSAY_OK;
}

assay_code assay_rewrite_accesses(assay_rewrite *rewrite, assay_error *err) {
  for (LLVMValueRef function = LLVMGetFirstFunction(rewrite->module); function != NULL;
       function = LLVMGetNextFunction(function))
    TRY(rewrite_function(rewrite, function, err));
  return ASSAY_OK;
}
