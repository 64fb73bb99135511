// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a program declares and nothing defines: a correct compiler must be right for any
// of them, so that one that takes its calls down will do.
#ifndef ASSAY_COMPILER_TAIL_STAND_IN_H
#define ASSAY_COMPILER_TAIL_STAND_IN_H

#include "compiler/tail/link.h"

#include <llvm-c/Types.h>

// Gives a body to each of options->declared, and to each function that stands for an unknown
// operation, that is called and that neither options->symbols nor this process defines: it takes
// down its name and, where it is given no memory, its numbers; it returns its first argument of the
// result's type, else 1. One that returns memory stays as it is.
void assay_stand_in(LLVMModuleRef module, const assay_link_options *options);
// What those bodies call.
const assay_record_symbol *assay_stand_in_symbols(void);

#endif
