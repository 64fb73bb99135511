// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Assay's own pipelines make a program call, so that states of those run too.
#ifndef ASSAY_COMPILER_TAIL_OWN_CALLS_H
#define ASSAY_COMPILER_TAIL_OWN_CALLS_H

#include "compiler/tail/record.h"

// The allocation functions of finalize-memref-to-llvm{use-generic-functions}, and the contractions
// that assay-substitute-blas hands over; the array ends with a NULL name.
const assay_record_symbol *assay_own_call_symbols(void);

#endif
