// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of sixteen-bit floats that LLVM calls where the processor has none, by the names of
// compiler-rt: not every C library's compiler brings them. And those of floats of a byte, which the
// tails call.
#ifndef ASSAY_COMPILER_TAIL_CONVERSIONS_H
#define ASSAY_COMPILER_TAIL_CONVERSIONS_H

#include "compiler/tail/record.h"

const assay_record_symbol *assay_conversion_symbols(void);
// From now on what becomes a float of a byte is rounded as in a sample with that seed,
// stochastically; 0: to nearest.
void assay_conversion_sample(uint64_t seed);

#endif
