// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cblas: a product as one call of the CBLAS, or one for each of a batch: gemm, or gemv where an
// operand is a vector.
#include "harness/bench/peer.h"

#include <stdlib.h>
#include <string.h>

#ifdef ASSAY_HAVE_CBLAS
#include <cblas.h>

typedef struct matrix {
  CBLAS_TRANSPOSE transpose;
  int leading;
} matrix;

struct assay_peer_state {
  int batch, m, k, n;
  matrix lhs, rhs;
  bool wide; // f64
  bool bias; // a third argument, added to each row
};

static assay_code open_peer(const char *root, int threads, assay_peer_state **out_state,
                            assay_error *err) {
  (void)root;
  (void)threads;
  (void)err;
  *out_state = calloc(1, sizeof **out_state);
  if (*out_state == NULL)
    abort();
  return ASSAY_OK;
}

static void close_peer(assay_peer_state *state) {
  free(state);
}

// An operand of so many rows and columns, as it lies in memory.
static bool find_matrix(const char *view, int rows, int columns, matrix *out_matrix) {
  bool transposed = strcmp(view, "transposed") == 0;
  *out_matrix = (matrix){.transpose = transposed ? CblasTrans : CblasNoTrans,
                         .leading = transposed ? rows : columns};
  return transposed || strcmp(view, "plain") == 0;
}

static bool find_product(const assay_case *a_case, assay_peer_state *state) {
  const assay_params *params = &a_case->params;
  const char *op = a_case->op->name;
  bool batched = strcmp(op, "batch_matmul") == 0;
  state->bias = strcmp(op, "linear") == 0;
  if (!batched && !state->bias && strcmp(op, "matmul") != 0)
    return false;
  assay_dtype dtype = assay_params_dtype(params, "dtype");
  state->wide = dtype == ASSAY_F64;
  state->batch = batched ? (int)assay_params_size(params, "b") : 1;
  state->m = (int)assay_params_size(params, "m");
  state->k = (int)assay_params_size(params, "k");
  state->n = (int)assay_params_size(params, "n");
  if (dtype != ASSAY_F32 && dtype != ASSAY_F64)
    return false;
  if (state->bias)
    return find_matrix("plain", state->m, state->k, &state->lhs) &&
           find_matrix("plain", state->k, state->n, &state->rhs);
  return assay_params_dtype(params, "rhs_dtype") == dtype &&
         strcmp(assay_params_choice(params, "result"), "plain") == 0 &&
         find_matrix(assay_params_choice(params, "lhs"), state->m, state->k, &state->lhs) &&
         find_matrix(assay_params_choice(params, "rhs"), state->k, state->n, &state->rhs);
}

static assay_code take(assay_peer_state *state, const assay_case *a_case, const char *data,
                       assay_error *err) {
  (void)data;
  if (!find_product(a_case, state))
    return assay_fail(err, ASSAY_UNSUPPORTED, "no single call of a BLAS computes it");
  return ASSAY_OK;
}

static void add_bias_rows(const assay_peer_state *state, const void *bias, char *result) {
  size_t row = (size_t)state->n * (state->wide ? sizeof(double) : sizeof(float));
  for (int i = 0; i < state->m; i++)
    memcpy(result + (size_t)i * row, bias, row);
}

// Of a matrix of so many rows and columns as it lies in memory, where `leading` is the columns.
static int stored_rows(const matrix *of, int rows, int columns) {
  return of->transpose == CblasTrans ? columns : rows;
}

static CBLAS_TRANSPOSE other(CBLAS_TRANSPOSE transpose) {
  return transpose == CblasTrans ? CblasNoTrans : CblasTrans;
}

// A row times a matrix is that matrix, transposed, times a vector, and a matrix times a column is
// it as it is: whoever uses the library calls for these what it has for them, and operands of one
// row or column lie without gaps whichever way round.
static void multiply_f32(const assay_peer_state *it, const float *a, const float *b, float *c) {
  const float beta = it->bias ? 1 : 0;
  for (int i = 0; i < it->batch; i++) {
    if (it->m == 1)
      cblas_sgemv(CblasRowMajor, other(it->rhs.transpose), stored_rows(&it->rhs, it->k, it->n),
                  it->rhs.leading, 1, b, it->rhs.leading, a, 1, beta, c, 1);
    else if (it->n == 1)
      cblas_sgemv(CblasRowMajor, it->lhs.transpose, stored_rows(&it->lhs, it->m, it->k),
                  it->lhs.leading, 1, a, it->lhs.leading, b, 1, beta, c, 1);
    else
      cblas_sgemm(CblasRowMajor, it->lhs.transpose, it->rhs.transpose, it->m, it->n, it->k, 1, a,
                  it->lhs.leading, b, it->rhs.leading, beta, c, it->n);
    a += (size_t)it->m * (size_t)it->k;
    b += (size_t)it->k * (size_t)it->n;
    c += (size_t)it->m * (size_t)it->n;
  }
}

static void multiply_f64(const assay_peer_state *it, const double *a, const double *b, double *c) {
  const double beta = it->bias ? 1 : 0;
  for (int i = 0; i < it->batch; i++) {
    if (it->m == 1)
      cblas_dgemv(CblasRowMajor, other(it->rhs.transpose), stored_rows(&it->rhs, it->k, it->n),
                  it->rhs.leading, 1, b, it->rhs.leading, a, 1, beta, c, 1);
    else if (it->n == 1)
      cblas_dgemv(CblasRowMajor, it->lhs.transpose, stored_rows(&it->lhs, it->m, it->k),
                  it->lhs.leading, 1, a, it->lhs.leading, b, 1, beta, c, 1);
    else
      cblas_dgemm(CblasRowMajor, it->lhs.transpose, it->rhs.transpose, it->m, it->n, it->k, 1, a,
                  it->lhs.leading, b, it->rhs.leading, beta, c, it->n);
    a += (size_t)it->m * (size_t)it->k;
    b += (size_t)it->k * (size_t)it->n;
    c += (size_t)it->m * (size_t)it->n;
  }
}

static assay_code run(assay_peer_state *state, const assay_buffer inputs[],
                      const assay_buffer results[], assay_error *err) {
  (void)err;
  if (state->bias)
    add_bias_rows(state, inputs[2].data, results[0].data);
  if (state->wide)
    multiply_f64(state, inputs[0].data, inputs[1].data, results[0].data);
  else
    multiply_f32(state, inputs[0].data, inputs[1].data, results[0].data);
  return ASSAY_OK;
}

#else

static assay_code open_peer(const char *root, int threads, assay_peer_state **out_state,
                            assay_error *err) {
  (void)root;
  (void)threads;
  (void)out_state;
  return assay_fail(err, ASSAY_MISSING, "this build has no CBLAS");
}

static void close_peer(assay_peer_state *state) {
  (void)state;
}

static assay_code take(assay_peer_state *state, const assay_case *a_case, const char *data,
                       assay_error *err) {
  (void)state;
  (void)a_case;
  (void)data;
  return assay_fail(err, ASSAY_MISSING, "this build has no CBLAS");
}

static assay_code run(assay_peer_state *state, const assay_buffer inputs[],
                      const assay_buffer results[], assay_error *err) {
  (void)inputs;
  (void)results;
  return take(state, NULL, NULL, err);
}

#endif

const assay_peer assay_peer_cblas = {
    .name = "cblas",
    .summary = "the machine's CBLAS, called directly",
    .open = open_peer,
    .close = close_peer,
    .take = take,
    .run = run,
};
