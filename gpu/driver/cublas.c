// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row-major products on a library that knows columns: what is a row-major C to us is C^T to it, and
// C^T = B^T A^T. So B goes first, and each operand is transposed where it is so to us.
#include "gpu/driver/cublas.h"

#include "gpu/driver/ptx.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// Names and numbers of the "cuBLAS Library" manual.
enum {
  CUBLAS_ALLOC_FAILED = 3,
  CUBLAS_MAPPING_ERROR = 11,
  CUBLAS_EXECUTION_FAILED = 13,
  CUBLAS_INTERNAL_ERROR = 14,
  CUBLAS_NO_TRANSPOSE = 0,
  CUBLAS_TRANSPOSE = 1,
  CUBLAS_DEFAULT_MATH = 0, // "at least the same number of mantissa and exponent bits": no TF32
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
};

typedef struct cublas_context cublas_context;

// Sizes are int in the calls that all versions have, and int64_t in those that end in _64.
typedef int gemm_call(cublas_context *, int, int, int, int, int, const void *, const void *, int,
                      const void *, int, const void *, void *, int);
typedef int gemm_wide_call(cublas_context *, int, int, int64_t, int64_t, int64_t, const void *,
                           const void *, int64_t, const void *, int64_t, const void *, void *,
                           int64_t);
typedef int batch_call(cublas_context *, int, int, int, int, int, const void *, const void *, int,
                       long long, const void *, int, long long, const void *, void *, int,
                       long long, int);
typedef int batch_wide_call(cublas_context *, int, int, int64_t, int64_t, int64_t, const void *,
                            const void *, int64_t, long long, const void *, int64_t, long long,
                            const void *, void *, int64_t, long long, int64_t);

// The calls of one element type.
typedef struct products {
  gemm_call *one;
  batch_call *batch;
  gemm_wide_call *one_wide;    // NULL before CUDA 12
  batch_wide_call *batch_wide; // NULL before CUDA 12
} products;

struct assay_cublas {
  const assay_cuda_calls *cuda;
  cublas_context *context;
  int (*destroy)(cublas_context *);
  const char *(*status_name)(int); // NULL before CUDA 11.4
  int (*set_math)(cublas_context *, int);
  int math; // the mode that is set
  products f32, f64;
};

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
enum { NAMES = sizeof names / sizeof names[0] };

// Where the toolkit is, which the loader need not know.
static void *find_in_toolkit(void) {
  void *library = NULL;
  assay_arena *arena = assay_arena_create();
  for (int i = 0; i < NAMES && library == NULL; i++) {
    const char *file = assay_toolkit_library(arena, names[i]);
    library = file != NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
  }
  assay_arena_destroy(arena);
  return library;
}

static void *find_library(assay_error *err) {
  for (int i = 0; i < NAMES; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
      return library;
  }
  (void)!assay_fail(err, ASSAY_MISSING, "no cuBLAS: tried %s, %s and %s; the last said: %s",
                    names[0], names[1], names[2], dlerror());
  return find_in_toolkit();
}

assay_code assay_cublas_probe(assay_error *err) {
  return find_library(err) != NULL ? ASSAY_OK : ASSAY_MISSING;
}

static assay_code judge(const assay_cublas *library, int status, const char *call,
                        assay_error *err) {
  if (status == 0)
    return ASSAY_OK;
  char number[32];
  snprintf(number, sizeof number, "status %d", status);
  const char *name = library->status_name != NULL ? library->status_name(status) : number;
  if (status != CUBLAS_ALLOC_FAILED)
    return assay_fail(err, ASSAY_FAILED, "%s: %s", call, name);
  cuda_words room = assay_cuda_room(library->cuda);
  return assay_fail(err, ASSAY_UNSUPPORTED, "%s: %s%s%s", call, name,
                    room.text[0] != '\0' ? ": " : "", room.text);
}

static assay_code set_mode(assay_cublas *library, int math, assay_error *err) {
  if (library->math == math)
    return ASSAY_OK;
  TRY(judge(library, library->set_math(library->context, math), "cublasSetMathMode", err));
  library->math = math;
  return ASSAY_OK;
}

static assay_code open_library(assay_cublas *library, cuda_stream *stream, assay_error *err) {
  void *file = find_library(err);
  if (file == NULL)
    return ASSAY_MISSING;
  int (*create)(cublas_context **);
  int (*set_stream)(cublas_context *, cuda_stream *);
  products *f32 = &library->f32, *f64 = &library->f64;
  const cuda_symbol symbols[] = {
      {"cublasCreate_v2", &create, false},
      {"cublasDestroy_v2", &library->destroy, false},
      {"cublasSetStream_v2", &set_stream, false},
      {"cublasSetMathMode", &library->set_math, false},
      {"cublasGetStatusName", &library->status_name, true},
      {"cublasSgemm_v2", &f32->one, false},
      {"cublasSgemmStridedBatched", &f32->batch, false},
      {"cublasSgemm_v2_64", &f32->one_wide, true},
      {"cublasSgemmStridedBatched_64", &f32->batch_wide, true},
      {"cublasDgemm_v2", &f64->one, false},
      {"cublasDgemmStridedBatched", &f64->batch, false},
      {"cublasDgemm_v2_64", &f64->one_wide, true},
      {"cublasDgemmStridedBatched_64", &f64->batch_wide, true},
  };
  const char *lacking = assay_cuda_symbols(file, symbols, sizeof symbols / sizeof symbols[0]);
  if (lacking != NULL)
    return assay_fail(err, ASSAY_MISSING, "the cuBLAS that was found has no %s", lacking);
  TRY(judge(library, create(&library->context), "cublasCreate", err));
  TRY(judge(library, set_stream(library->context, stream), "cublasSetStream", err));
  library->math = -1;
  return set_mode(library, CUBLAS_DEFAULT_MATH, err);
}

assay_code assay_cublas_open(const assay_cuda_calls *cuda, cuda_stream *stream,
                             assay_cublas **out_library, assay_error *err) {
  assay_cublas *library = calloc(1, sizeof *library);
  if (library == NULL)
    abort();
  library->cuda = cuda;
  assay_code code = open_library(library, stream, err);
  if (code == ASSAY_OK)
    *out_library = library;
  else
    assay_cublas_close(library);
  return code;
}

void assay_cublas_close(assay_cublas *library) {
  if (library == NULL)
    return;
  if (library->context != NULL)
    library->destroy(library->context);
  free(library);
}

// A matrix as the library takes it: rows of our storage are its columns.
typedef struct operand {
  const void *address;
  int64_t stride, batch;
  int transposed;
} operand;

// Checks rows rows of length elements, stride apart. The stride of one row alone means nothing.
static assay_code check_rows(char name, int64_t rows, int64_t length, int64_t *stride,
                             assay_error *err) {
  if (rows <= 1)
    *stride = length > 0 ? length : 1;
  if (*stride < length || *stride < 1)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "cuBLAS takes rows that do not overlap: those of %c have %lld elements and "
                      "are %lld apart",
                      name, (long long)length, (long long)*stride);
  return ASSAY_OK;
}

static assay_code check(const assay_gpu_gemm *gemm, operand *a, operand *b, operand *c,
                        assay_error *err) {
  if (gemm->element != 4 && gemm->element != 8)
    return assay_fail(err, ASSAY_UNSUPPORTED, "cuBLAS is asked for f32 and f64, not for %d bytes",
                      gemm->element);
  if (gemm->batch > 1 && gemm->c_batch == 0)
    return assay_fail(err, ASSAY_UNSUPPORTED, "%lld products into one matrix",
                      (long long)gemm->batch);
  *a = (operand){(const void *)(uintptr_t)gemm->a, gemm->a_stride, gemm->a_batch,
                 gemm->a_transposed ? CUBLAS_TRANSPOSE : CUBLAS_NO_TRANSPOSE};
  *b = (operand){(const void *)(uintptr_t)gemm->b, gemm->b_stride, gemm->b_batch,
                 gemm->b_transposed ? CUBLAS_TRANSPOSE : CUBLAS_NO_TRANSPOSE};
  *c = (operand){(const void *)(uintptr_t)gemm->c, gemm->c_stride, gemm->c_batch, 0};
  TRY(check_rows('A', gemm->a_transposed ? gemm->k : gemm->m,
                 gemm->a_transposed ? gemm->m : gemm->k, &a->stride, err));
  TRY(check_rows('B', gemm->b_transposed ? gemm->n : gemm->k,
                 gemm->b_transposed ? gemm->k : gemm->n, &b->stride, err));
  return check_rows('C', gemm->m, gemm->n, &c->stride, err);
}

static bool fits_int(const assay_gpu_gemm *gemm, const operand *a, const operand *b,
                     const operand *c) {
  const int64_t sizes[] = {gemm->m, gemm->n, gemm->k, gemm->batch, a->stride, b->stride, c->stride};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (sizes[i] > INT_MAX)
      return false;
  return true;
}

static int call_int(const products *calls, cublas_context *context, const assay_gpu_gemm *gemm,
                    const void *alpha, const void *beta, const operand operands[3]) {
  const operand *a = &operands[0], *b = &operands[1], *c = &operands[2];
  int m = (int)gemm->m, n = (int)gemm->n, k = (int)gemm->k;
  void *out = (void *)(uintptr_t)gemm->c;
  if (gemm->batch == 1)
    return calls->one(context, b->transposed, a->transposed, n, m, k, alpha, b->address,
                      (int)b->stride, a->address, (int)a->stride, beta, out, (int)c->stride);
  return calls->batch(context, b->transposed, a->transposed, n, m, k, alpha, b->address,
                      (int)b->stride, b->batch, a->address, (int)a->stride, a->batch, beta, out,
                      (int)c->stride, c->batch, (int)gemm->batch);
}

static int call_wide(const products *calls, cublas_context *context, const assay_gpu_gemm *gemm,
                     const void *alpha, const void *beta, const operand operands[3]) {
  const operand *a = &operands[0], *b = &operands[1], *c = &operands[2];
  void *out = (void *)(uintptr_t)gemm->c;
  if (gemm->batch == 1)
    return calls->one_wide(context, b->transposed, a->transposed, gemm->n, gemm->m, gemm->k, alpha,
                           b->address, b->stride, a->address, a->stride, beta, out, c->stride);
  return calls->batch_wide(context, b->transposed, a->transposed, gemm->n, gemm->m, gemm->k, alpha,
                           b->address, b->stride, b->batch, a->address, a->stride, a->batch, beta,
                           out, c->stride, c->batch, gemm->batch);
}

// As the library calls it, for messages.
static const char *name_call(bool is_double, bool batched, bool wide) {
  static const char *const calls[2][2][2] = {
      {{"cublasSgemm", "cublasSgemm_64"},
       {"cublasSgemmStridedBatched", "cublasSgemmStridedBatched_64"}},
      {{"cublasDgemm", "cublasDgemm_64"},
       {"cublasDgemmStridedBatched", "cublasDgemmStridedBatched_64"}},
  };
  return calls[is_double][batched][wide];
}

assay_code assay_cublas_gemm(assay_cublas *library, const assay_gpu_gemm *gemm, bool *out_lost,
                             assay_error *err) {
  static const float f32[] = {0, 1};
  static const double f64[] = {0, 1};
  operand operands[3] = {{NULL, 0, 0, 0}};
  TRY(check(gemm, &operands[0], &operands[1], &operands[2], err));
  if (gemm->batch <= 0 || gemm->m <= 0 || gemm->n <= 0)
    return ASSAY_OK;
  bool is_double = gemm->element == 8;
  const products *calls = is_double ? &library->f64 : &library->f32;
  const void *alpha = is_double ? (const void *)&f64[1] : (const void *)&f32[1];
  int kept = gemm->accumulate ? 1 : 0;
  const void *beta = is_double ? (const void *)&f64[kept] : (const void *)&f32[kept];
  bool small = fits_int(gemm, &operands[0], &operands[1], &operands[2]);
  if (!small && (calls->one_wide == NULL || calls->batch_wide == NULL))
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this cuBLAS takes sizes and strides up to 2147483647 only");
  TRY(set_mode(library, gemm->tf32 && !is_double ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH,
               err));
  int status = small ? call_int(calls, library->context, gemm, alpha, beta, operands)
                     : call_wide(calls, library->context, gemm, alpha, beta, operands);
  *out_lost = status == CUBLAS_MAPPING_ERROR || status == CUBLAS_EXECUTION_FAILED ||
              status == CUBLAS_INTERNAL_ERROR;
  return judge(library, status, name_call(is_double, gemm->batch != 1, !small), err);
}
