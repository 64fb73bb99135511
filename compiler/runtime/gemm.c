// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions of memrefs through the CBLAS. A BLAS matrix has one unit stride and a leading
// dimension that is at least as long as its rows; strides tell which of its forms a memref already
// is, so that slices and transposes are never copied. Anything else is packed first.
#include "compiler/runtime/gemm.h"
#include "compiler/runtime/state.h"

#ifdef ASSAY_HAVE_CBLAS

#include <cblas.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// A matrix in memory. Strides are in elements, and may be anything.
typedef struct matrix {
  char *data;
  int64_t rows, columns;
  int64_t row_stride, column_stride;
} matrix;

// A matrix as the BLAS takes it.
typedef struct operand {
  const void *data;
  CBLAS_TRANSPOSE transpose;
  int leading;
} operand;

// The BLAS of one element type, all matrices row-major, alpha 1, beta 0 or 1.
typedef struct routines {
  size_t size; // of an element, in bytes
  void (*gemm)(int m, int n, int k, operand a, operand b, int beta, void *c, int leading_c);
  // y = A x or y += A x; rows and columns are those of A's memory, before its transposition.
  void (*gemv)(int rows, int columns, operand a, const void *x, int step_x, int beta, void *y,
               int step_y);
} routines;

static void gemm_f32(int m, int n, int k, operand a, operand b, int beta, void *c, int leading_c) {
  cblas_sgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, 1.0F, a.data, a.leading, b.data,
              b.leading, (float)beta, c, leading_c);
}

static void gemm_f64(int m, int n, int k, operand a, operand b, int beta, void *c, int leading_c) {
  cblas_dgemm(CblasRowMajor, a.transpose, b.transpose, m, n, k, 1.0, a.data, a.leading, b.data,
              b.leading, beta, c, leading_c);
}

static void gemv_f32(int rows, int columns, operand a, const void *x, int step_x, int beta, void *y,
                     int step_y) {
  cblas_sgemv(CblasRowMajor, a.transpose, rows, columns, 1.0F, a.data, a.leading, x, step_x,
              (float)beta, y, step_y);
}

static void gemv_f64(int rows, int columns, operand a, const void *x, int step_x, int beta, void *y,
                     int step_y) {
  cblas_dgemv(CblasRowMajor, a.transpose, rows, columns, 1.0, a.data, a.leading, x, step_x, beta, y,
              step_y);
}

static const routines blas_f32 = {.size = sizeof(float), .gemm = gemm_f32, .gemv = gemv_f32};
static const routines blas_f64 = {.size = sizeof(double), .gemm = gemm_f64, .gemv = gemv_f64};

static matrix transposed(matrix x) {
  return (matrix){x.data, x.columns, x.rows, x.column_stride, x.row_stride};
}

// Whether rows of unit stride, `stride` apart, are a BLAS matrix. The stride of a single row is
// never used, and only has to pass the BLAS's check of its arguments.
static bool has_rows(int64_t rows, int64_t columns, int64_t stride, int64_t step,
                     int *out_leading) {
  if (columns > 1 && step != 1)
    return false;
  int64_t leading = rows > 1 ? stride : columns;
  *out_leading = (int)leading;
  return leading >= columns && leading >= 1 && leading <= INT_MAX;
}

static bool as_operand(matrix x, operand *out) {
  out->data = x.data;
  out->transpose = CblasNoTrans;
  if (has_rows(x.rows, x.columns, x.row_stride, x.column_stride, &out->leading))
    return true;
  out->transpose = CblasTrans;
  return has_rows(x.columns, x.rows, x.column_stride, x.row_stride, &out->leading);
}

static void copy_matrix(size_t size, matrix from, matrix to) {
  for (int64_t i = 0; i < from.rows; i++)
    for (int64_t j = 0; j < from.columns; j++)
      memcpy(to.data + (i * to.row_stride + j * to.column_stride) * (int64_t)size,
             from.data + (i * from.row_stride + j * from.column_stride) * (int64_t)size, size);
}

// A contiguous matrix of the same size, uninitialised; to be freed by the caller.
static matrix take_packed(size_t size, matrix like) {
  char *data = malloc((size_t)like.rows * (size_t)like.columns * size);
  if (data == NULL)
    abort();
  return (matrix){data, like.rows, like.columns, like.columns, 1};
}

// The operand, packed where it is no BLAS matrix; *out_packed is to be freed.
static operand prepare(const routines *blas, matrix x, void **out_packed) {
  operand result;
  *out_packed = NULL;
  if (as_operand(x, &result))
    return result;
  matrix packed = take_packed(blas->size, x);
  copy_matrix(blas->size, x, packed);
  *out_packed = packed.data;
  (void)as_operand(packed, &result); // a packed matrix always is one
  return result;
}

// A row-major C with rows of unit stride.
static void multiply_into(const routines *blas, matrix a, matrix b, matrix c, int leading,
                          int beta) {
  void *packed_a, *packed_b;
  operand left = prepare(blas, a, &packed_a), right = prepare(blas, b, &packed_b);
  blas->gemm((int)c.rows, (int)c.columns, (int)a.columns, left, right, beta, c.data, leading);
  free(packed_a);
  free(packed_b);
}

static void multiply(const routines *blas, matrix a, matrix b, matrix c, int beta) {
  int leading;
  if (has_rows(c.rows, c.columns, c.row_stride, c.column_stride, &leading)) {
    multiply_into(blas, a, b, c, leading, beta);
  } else if (has_rows(c.columns, c.rows, c.column_stride, c.row_stride, &leading)) {
    // C^T = B^T A^T has the rows that C lacks.
    multiply_into(blas, transposed(b), transposed(a), transposed(c), leading, beta);
  } else {
    matrix packed = take_packed(blas->size, c);
    if (beta != 0)
      copy_matrix(blas->size, c, packed);
    multiply_into(blas, a, b, packed, (int)packed.columns, beta);
    copy_matrix(blas->size, packed, c);
    free(packed.data);
  }
}

static bool as_step(int64_t count, int64_t stride, int *out_step) {
  *out_step = count > 1 ? (int)stride : 1;
  return *out_step >= 1 && (count <= 1 || stride <= INT_MAX);
}

// y = A x, the vectors being matrices of one column. False where one of the three is in no form
// that the BLAS takes.
static bool multiply_vector(const routines *blas, matrix a, matrix x, matrix y, int beta) {
  operand left;
  int step_x, step_y;
  if (!as_operand(a, &left) || !as_step(x.rows, x.row_stride, &step_x) ||
      !as_step(y.rows, y.row_stride, &step_y))
    return false;
  if (left.transpose == CblasTrans)
    a = transposed(a);
  blas->gemv((int)a.rows, (int)a.columns, left, x.data, step_x, beta, y.data, step_y);
  return true;
}

static void clear(size_t size, matrix c) {
  for (int64_t i = 0; i < c.rows; i++)
    for (int64_t j = 0; j < c.columns; j++)
      memset(c.data + (i * c.row_stride + j * c.column_stride) * (int64_t)size, 0, size);
}

static void contract_matrix(const routines *blas, matrix a, matrix b, matrix c, int beta) {
  if (c.rows == 0 || c.columns == 0)
    return;
  if (a.columns ==
      0) { // an empty sum; implementations of gemv differ on whether they scale y by beta
    if (beta == 0)
      clear(blas->size, c);
    return;
  }
  if (c.columns == 1 && multiply_vector(blas, a, b, c, beta))
    return;
  if (c.rows == 1 && multiply_vector(blas, transposed(b), transposed(a), transposed(c), beta))
    return;
  multiply(blas, a, b, c, beta);
}

static matrix last_axes(const routines *blas, const assay_unranked_memref *x, bool exchange) {
  const assay_memref *d = x->descriptor;
  int64_t rank = x->rank;
  const int64_t *size = d->extent + rank - 2, *stride = size + rank;
  char *data = d->base + d->offset * (int64_t)blas->size;
  matrix result = {data, size[0], size[1], stride[0], stride[1]};
  return exchange ? transposed(result) : result;
}

static int64_t batch_step(const routines *blas, const assay_unranked_memref *x) {
  return x->rank == 3 ? x->descriptor->extent[3] * (int64_t)blas->size : 0;
}

static void contract(const routines *blas, assay_runtime *runtime, const assay_unranked_memref *a,
                     const assay_unranked_memref *b, const assay_unranked_memref *c,
                     int32_t flags) {
  matrix left = last_axes(blas, a, (flags & ASSAY_GEMM_LHS_TRANSPOSED) != 0);
  matrix right = last_axes(blas, b, (flags & ASSAY_GEMM_RHS_TRANSPOSED) != 0);
  matrix out = last_axes(blas, c, false);
  if (out.rows > INT_MAX || out.columns > INT_MAX || left.columns > INT_MAX) {
    assay_runtime_fault(runtime, "a contraction is too large for the 32-bit sizes of CBLAS");
    return;
  }
  int64_t batches = c->rank == 3 ? c->descriptor->extent[0] : 1;
  for (int64_t i = 0; i < batches; i++) {
    contract_matrix(blas, left, right, out, (flags & ASSAY_GEMM_ACCUMULATE) != 0);
    left.data += batch_step(blas, a);
    right.data += batch_step(blas, b);
    out.data += batch_step(blas, c);
  }
  runtime->blas_calls++;
}

void assay_runtime_gemm_f32(assay_runtime *runtime, const assay_unranked_memref *a,
                            const assay_unranked_memref *b, const assay_unranked_memref *c,
                            int32_t flags) {
  contract(&blas_f32, runtime, a, b, c, flags);
}

void assay_runtime_gemm_f64(assay_runtime *runtime, const assay_unranked_memref *a,
                            const assay_unranked_memref *b, const assay_unranked_memref *c,
                            int32_t flags) {
  contract(&blas_f64, runtime, a, b, c, flags);
}

#endif
