// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR of kernels -> LLVM IR that asks the simulator: before each access of memory that is no
// thread's own, and instead of each of NVVM's intrinsics.
#ifndef ASSAY_GPU_SIMULATOR_REWRITE_H
#define ASSAY_GPU_SIMULATOR_REWRITE_H

#include "compiler/base/text.h"
#include "gpu/simulator/abi.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

typedef struct assay_rewrite {
  assay_arena *arena;
  LLVMModuleRef module;
  LLVMTargetDataRef layout; // of this processor
  LLVMModuleRef prelude;    // (of assay_rewrite_calls) what assay_prelude_print said
  assay_text *text;         // IR that the module is to be linked with: what the rewriting calls
  LLVMBuilderRef builder;
  assay_site *sites; // malloc'ed
  size_t site_count, site_capacity;
  bool inlines; // the checks of shared memory in the function at hand
} assay_rewrite;

// Accesses of memory, in all functions. ASSAY_FAILED names an instruction that it does not know.
ASSAY_MUST_USE assay_code assay_rewrite_accesses(assay_rewrite *rewrite, assay_error *err);
// Calls of NVVM's intrinsics become calls of the prelude's functions, which are declared.
// ASSAY_FAILED names an intrinsic or undefined function that the simulator does not know.
ASSAY_MUST_USE assay_code assay_rewrite_calls(assay_rewrite *rewrite, assay_error *err);

// The number of a new site at the instruction.
uint32_t assay_rewrite_site(assay_rewrite *rewrite, LLVMValueRef instruction, uint64_t width,
                            unsigned align, assay_access access);

#endif
