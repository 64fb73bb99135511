// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cblas: a product as one call of the CBLAS, or one for each of a batch.
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

static void multiply_f32(const assay_peer_state *it, const float *a, const float *b, float *c) {
  for (int i = 0; i < it->batch; i++) {
    cblas_sgemm(CblasRowMajor, it->lhs.transpose, it->rhs.transpose, it->m, it->n, it->k, 1.0F, a,
                it->lhs.leading, b, it->rhs.leading, it->bias ? 1.0F : 0.0F, c, it->n);
    a += (size_t)it->m * (size_t)it->k;
    b += (size_t)it->k * (size_t)it->n;
    c += (size_t)it->m * (size_t)it->n;
  }
}

static void multiply_f64(const assay_peer_state *it, const double *a, const double *b, double *c) {
  for (int i = 0; i < it->batch; i++) {
    cblas_dgemm(CblasRowMajor, it->lhs.transpose, it->rhs.transpose, it->m, it->n, it->k, 1.0, a,
                it->lhs.leading, b, it->rhs.leading, it->bias ? 1.0 : 0.0, c, it->n);
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
