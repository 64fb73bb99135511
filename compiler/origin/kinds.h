// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the shadow of an operation's result comes about; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_KINDS_H
#define ASSAY_COMPILER_ORIGIN_KINDS_H

#include "compiler/origin/shadow.h"

// Of an operation with a floating result; sets what is computed.
assay_shadow_kind assay_kind_of(MlirOperation operation, MlirSymbolTable symbols,
                                assay_shadow_op *op);
// Whether llvm.select gives the greater or the smaller of two, 1 or -1; 0: neither.
int assay_kind_chosen(MlirOperation select);
// Sets which lanes go where, once the operands are described.
void assay_kind_complete(MlirOperation operation, assay_shadow_op *op);

#endif
