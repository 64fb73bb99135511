// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an LLVM module needs besides the program's own code: its entry, and the way to its runtime.
#ifndef ASSAY_COMPILER_LOWER_GLUE_H
#define ASSAY_COMPILER_LOWER_GLUE_H

#include "compiler/runtime/runtime.h"

#include <llvm-c/Core.h>

// Defines assay_entry in the module, and each bound entry that the module calls: as an inlined call
// of the real one with the address of this program's `assay_runtime` before the arguments. The
// module's constructors and destructors become assay_load and assay_unload, where it has any.
// ASSAY_FAILED where the module has no @main with a C interface.
ASSAY_MUST_USE assay_code assay_glue_add(LLVMModuleRef module, const assay_runtime_entry *entries,
                                         assay_error *err);

#endif
