// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fresh stack memory of compiled code, filled so that reading it before writing shows.
#ifndef ASSAY_COMPILER_TAIL_POISON_H
#define ASSAY_COMPILER_TAIL_POISON_H

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#define ASSAY_POISON_SYMBOL "__assay_poison" // 64 equal bytes, read as the program runs

// Fills each alloca as it is made, and gives undefined scalars and short vectors the poison's bits.
void assay_poison_stack(LLVMModuleRef module, LLVMTargetDataRef layout);

#endif
