// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of sixteen-bit floats that LLVM calls where the processor has none, by the names of
// compiler-rt: not every C library's compiler brings them.
#ifndef ASSAY_COMPILER_TAIL_CONVERSIONS_H
#define ASSAY_COMPILER_TAIL_CONVERSIONS_H

#include "compiler/tail/record.h"

const assay_record_symbol *assay_conversion_symbols(void);

#endif
