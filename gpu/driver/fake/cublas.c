// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cuBLAS on the fake driver's memory: column-major, by its definition, with the manual's rules
// for sizes and leading dimensions.
#include "gpu/driver/fake/cublas.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };
enum { PEDANTIC_MATH = 2, TF32_MATH = 3 };

int cublasCreate_v2(fake_object **handle) {
  cuda_result fault = fake_enter("cublasCreate", FAKE_NEEDS_CONTEXT);
  if (fault != CUDA_SUCCESS)
    return fault;
  *handle = fake_add(FAKE_LIBRARY);
  return 0;
}

int cublasDestroy_v2(fake_object *handle) {
  cuda_result fault = fake_enter("cublasDestroy", FAKE_NEEDS_CONTEXT);
  fake_object *object = fake_object_find(handle, FAKE_LIBRARY, "cublasDestroy");
  if (object == NULL)
    return NOT_INITIALIZED;
  object->alive = false;
  return fault;
}

int cublasSetStream_v2(fake_object *handle, cuda_stream *stream) {
  cuda_result fault = fake_enter("cublasSetStream", FAKE_NEEDS_CONTEXT);
  if (fault != CUDA_SUCCESS)
    return fault;
  fake_object *object = fake_object_find(handle, FAKE_LIBRARY, "cublasSetStream");
  fake_object *on = fake_object_find(stream, FAKE_STREAM, "cublasSetStream");
  if (object == NULL || on == NULL)
    return NOT_INITIALIZED;
  object->stream = on;
  return 0;
}

int cublasSetMathMode(fake_object *handle, int mode) {
  cuda_result fault = fake_enter("cublasSetMathMode", FAKE_NEEDS_CONTEXT);
  if (fault != CUDA_SUCCESS)
    return fault;
  fake_object *object = fake_object_find(handle, FAKE_LIBRARY, "cublasSetMathMode");
  if (object == NULL)
    return NOT_INITIALIZED;
  if (mode != 0 && mode != PEDANTIC_MATH && mode != TF32_MATH)
    return INVALID_VALUE;
  object->math = mode;
  return 0;
}

const char *cublasGetStatusName(int status) {
  switch (status) {
  case 1:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case 3:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case INVALID_VALUE:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case EXECUTION_FAILED:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  default:
    return "CUBLAS_STATUS_UNKNOWN";
  }
}

// One product of a batch, as numbers.
typedef struct product {
  bool tf32; // operands are truncated to it
  int transposed_a, transposed_b, element;
  int64_t m, n, k, lda, ldb, ldc, stride_a, stride_b, stride_c, batch;
  double alpha, beta;
  uint64_t a, b, c;
} product;

// NOLINTBEGIN(clang-analyzer-security.ArrayBound): spans hold all that is asked for below
static double get(const void *base, int64_t at, int element) {
  return element == 8 ? ((const double *)base)[at] : (double)((const float *)base)[at];
}

static double get_operand(const product *p, const void *base, int64_t at) {
  double exact = get(base, at, p->element);
  if (!p->tf32)
    return exact;
  float number = (float)exact;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  bits &= UINT32_C(0xFFFFE000);
  memcpy(&number, &bits, sizeof bits);
  return number;
}

static void put(void *base, int64_t at, int element, double value) {
  if (element == 8)
    ((double *)base)[at] = value;
  else
    ((float *)base)[at] = (float)value;
}
// NOLINTEND(clang-analyzer-security.ArrayBound)

// Elements from the first to the last of a column-major matrix.
static int64_t span(int64_t rows, int64_t columns, int64_t leading) {
  return rows > 0 && columns > 0 ? (columns - 1) * leading + rows : 0;
}

static void *fetch(uint64_t from, int64_t elements, int element) {
  size_t bytes = (size_t)(elements > 0 ? elements : 1) * (size_t)element;
  void *copy = calloc(bytes, 1);
  if (copy == NULL)
    abort();
  if (elements > 0)
    (void)!fake_read(copy, from, (size_t)elements * (size_t)element);
  return copy;
}

static void multiply(const product *p, int64_t index) {
  uint64_t size = (uint64_t)p->element;
  uint64_t a_at = p->a + (uint64_t)(index * p->stride_a) * size;
  uint64_t b_at = p->b + (uint64_t)(index * p->stride_b) * size;
  uint64_t c_at = p->c + (uint64_t)(index * p->stride_c) * size;
  bool ta = p->transposed_a != 0, tb = p->transposed_b != 0;
  int64_t c_span = span(p->m, p->n, p->ldc);
  void *a = fetch(a_at, ta ? span(p->k, p->m, p->lda) : span(p->m, p->k, p->lda), p->element);
  void *b = fetch(b_at, tb ? span(p->n, p->k, p->ldb) : span(p->k, p->n, p->ldb), p->element);
  void *c = fetch(c_at, c_span, p->element);
  for (int64_t i = 0; i < p->m; i++)
    for (int64_t j = 0; j < p->n; j++) {
      double sum = 0;
      for (int64_t l = 0; l < p->k; l++)
        sum += get_operand(p, a, ta ? l + i * p->lda : i + l * p->lda) *
               get_operand(p, b, tb ? j + l * p->ldb : l + j * p->ldb);
      double old = p->beta != 0 ? p->beta * get(c, i + j * p->ldc, p->element) : 0;
      put(c, i + j * p->ldc, p->element, p->alpha * sum + old);
    }
  (void)!fake_write(c_at, c, (size_t)c_span * size);
  free(a);
  free(b);
  free(c);
}

static cuda_result run_products(fake_work *work) {
  const product *p = work->data;
  for (int64_t i = 0; i < p->batch; i++)
    multiply(p, i);
  return CUDA_SUCCESS;
}

static int64_t at_least_one(int64_t size) {
  return size > 1 ? size : 1;
}

static int enqueue(fake_object *handle, const product *p, const char *call) {
  cuda_result fault = fake_enter(call, FAKE_NEEDS_CONTEXT);
  if (fault != CUDA_SUCCESS)
    return fault < 100 ? (int)fault : EXECUTION_FAILED;
  fake_object *object = fake_object_find(handle, FAKE_LIBRARY, call);
  if (object == NULL || object->stream == NULL || !object->stream->alive)
    return NOT_INITIALIZED;
  if (p->m < 0 || p->n < 0 || p->k < 0 || p->batch < 0 ||
      p->lda < at_least_one(p->transposed_a ? p->k : p->m) ||
      p->ldb < at_least_one(p->transposed_b ? p->n : p->k) || p->ldc < at_least_one(p->m))
    return INVALID_VALUE;
  product *copy = malloc(sizeof *copy);
  if (copy == NULL)
    abort();
  *copy = *p;
  copy->tf32 = object->math == TF32_MATH && p->element == 4;
  fake_enqueue(&(fake_work){.run = run_products, .data = copy});
  return 0;
}

// A product alone and a batch of them, each under its own name: NAME without its version.
#define DEFINE_GEMM(name, version, batched, number, type)                                          \
  static int do_##batched(const char *call, fake_object *handle, int ta, int tb, number m,         \
                          number n, number k, const void *alpha, const void *a, number lda,        \
                          long long stride_a, const void *b, number ldb, long long stride_b,       \
                          const void *beta, void *c, number ldc, long long stride_c,               \
                          number count) {                                                          \
    product p = {.transposed_a = ta,                                                               \
                 .transposed_b = tb,                                                               \
                 .element = (int)sizeof(type),                                                     \
                 .m = m,                                                                           \
                 .n = n,                                                                           \
                 .k = k,                                                                           \
                 .lda = lda,                                                                       \
                 .ldb = ldb,                                                                       \
                 .ldc = ldc,                                                                       \
                 .stride_a = stride_a,                                                             \
                 .stride_b = stride_b,                                                             \
                 .stride_c = stride_c,                                                             \
                 .batch = count,                                                                   \
                 .alpha = get(alpha, 0, (int)sizeof(type)),                                        \
                 .beta = get(beta, 0, (int)sizeof(type)),                                          \
                 .a = (uint64_t)(uintptr_t)a,                                                      \
                 .b = (uint64_t)(uintptr_t)b,                                                      \
                 .c = (uint64_t)(uintptr_t)c};                                                     \
    return enqueue(handle, &p, call);                                                              \
  }                                                                                                \
  int version(fake_object *handle, int ta, int tb, number m, number n, number k,                   \
              const void *alpha, const void *a, number lda, const void *b, number ldb,             \
              const void *beta, void *c, number ldc) {                                             \
    return do_##batched(name, handle, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc,  \
                        0, 1);                                                                     \
  }                                                                                                \
  int batched(fake_object *handle, int ta, int tb, number m, number n, number k,                   \
              const void *alpha, const void *a, number lda, long long stride_a, const void *b,     \
              number ldb, long long stride_b, const void *beta, void *c, number ldc,               \
              long long stride_c, number count) {                                                  \
    return do_##batched(#batched, handle, ta, tb, m, n, k, alpha, a, lda, stride_a, b, ldb,        \
                        stride_b, beta, c, ldc, stride_c, count);                                  \
  }

DEFINE_GEMM("cublasSgemm", cublasSgemm_v2, cublasSgemmStridedBatched, int, float)
DEFINE_GEMM("cublasDgemm", cublasDgemm_v2, cublasDgemmStridedBatched, int, double)
DEFINE_GEMM("cublasSgemm_64", cublasSgemm_v2_64, cublasSgemmStridedBatched_64, int64_t, float)
DEFINE_GEMM("cublasDgemm_64", cublasDgemm_v2_64, cublasDgemmStridedBatched_64, int64_t, double)
