// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which BLAS this process has.
#ifndef ASSAY_COMPILER_RUNTIME_BLAS_H
#define ASSAY_COMPILER_RUNTIME_BLAS_H

#include "compiler/base/error.h"

typedef struct assay_blas {
  char library[256]; // the file that cblas_sgemm comes from
  char core[64];     // the kernels it chose for this processor; "unknown" where it does not say
  int threads;       // that it uses; 0 where it does not say
} assay_blas;

// ASSAY_MISSING in a build without a CBLAS.
ASSAY_MUST_USE assay_code assay_blas_describe(assay_blas *out_blas, assay_error *err);

// Makes the BLAS use this many threads for the rest of the process, where it can be told
// (OpenBLAS); others take it from their environment variables.
void assay_blas_set_threads(int threads);

#endif
