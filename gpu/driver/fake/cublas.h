// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that the fake cuBLAS has, under their names. Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_FAKE_CUBLAS_H
#define ASSAY_GPU_DRIVER_FAKE_CUBLAS_H

#include "gpu/driver/fake/state.h"

int cublasCreate_v2(fake_object **handle);
int cublasDestroy_v2(fake_object *handle);
int cublasSetStream_v2(fake_object *handle, cuda_stream *stream);
int cublasSetMathMode(fake_object *handle, int mode);
const char *cublasGetStatusName(int status);

#define DECLARE_GEMM(name, batched, number)                                                        \
  int name(fake_object *handle, int ta, int tb, number m, number n, number k, const void *alpha,   \
           const void *a, number lda, const void *b, number ldb, const void *beta, void *c,        \
           number ldc);                                                                            \
  int batched(fake_object *handle, int ta, int tb, number m, number n, number k,                   \
              const void *alpha, const void *a, number lda, long long stride_a, const void *b,     \
              number ldb, long long stride_b, const void *beta, void *c, number ldc,               \
              long long stride_c, number count);

DECLARE_GEMM(cublasSgemm_v2, cublasSgemmStridedBatched, int)
DECLARE_GEMM(cublasDgemm_v2, cublasDgemmStridedBatched, int)
DECLARE_GEMM(cublasSgemm_v2_64, cublasSgemmStridedBatched_64, int64_t)
DECLARE_GEMM(cublasDgemm_v2_64, cublasDgemmStridedBatched_64, int64_t)
#undef DECLARE_GEMM

#endif
