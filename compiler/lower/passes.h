// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assay's own passes.
#ifndef ASSAY_COMPILER_LOWER_PASSES_H
#define ASSAY_COMPILER_LOWER_PASSES_H

#include "compiler/bridge/pass.h"

// On tensors: linalg.transpose of an operand becomes an indexing map of the contraction.
extern const assay_pass assay_pass_fold_transposes;
// On memrefs: what a function returns more than once is copied.
extern const assay_pass assay_pass_separate_results;
// On memrefs: contractions read what was transposed for them, and nothing else, through views.
extern const assay_pass assay_pass_view_transposes;
// On memrefs: floating contractions become calls of the runtime's BLAS entries, and a zero fill of
// the result just before becomes an overwriting call. What the BLAS cannot take stays.
extern const assay_pass assay_pass_substitute_blas;
// On memrefs: contractions become loops in (m, k, n) order, m and k unrolled into the n loop.
extern const assay_pass assay_pass_contractions_to_loops;
// math.exp and math.tanh of f32 and f64 become arithmetic.
extern const assay_pass assay_pass_expand_math;

// Registers them with MLIR for the whole process; again is allowed.
void assay_passes_register(void);

#endif
