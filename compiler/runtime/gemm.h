// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiler and runtime agree on about contractions that are handed over.
#ifndef ASSAY_COMPILER_RUNTIME_GEMM_H
#define ASSAY_COMPILER_RUNTIME_GEMM_H

// How a contraction's operands are to be read: an int32_t in compiled code.
enum {
  ASSAY_GEMM_LHS_TRANSPOSED = 1, // the buffer holds A with its last two axes exchanged
  ASSAY_GEMM_RHS_TRANSPOSED = 2,
  ASSAY_GEMM_ACCUMULATE = 4, // C += A B; otherwise C = A B, and what C held is never read
  ASSAY_GEMM_TF32 = 8,       // of f32: operands may be rounded to tf32
};

#endif
