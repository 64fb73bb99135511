// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// numpy: the formula in plain NumPy, in a process of its own (reference/oracle/timing.py).
#include "harness/bench/partner.h"
#include "harness/bench/peer.h"
#include "reference/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assay_peer_state {
  assay_arena *arena; // of the case
  assay_partner *python;
  const char *root;
  int threads;
  bool stale; // its Python may owe an answer
  int result_count;
};

// Seconds for an answer besides the time that the question itself asks for: a block of 1024 tokens
// takes some seconds where all is busy.
static const double PATIENCE = 120;

// Starts its Python, with as many threads for whatever BLAS its NumPy has.
static assay_code start(assay_peer_state *state, assay_error *err) {
  char count[16];
  snprintf(count, sizeof count, "%d", state->threads);
  const char *const argv[] = {assay_oracle_python(state->arena, state->root),
                              "-I",
                              "-B",
                              assay_arena_format(state->arena, "%s/reference/oracle", state->root),
                              "time",
                              NULL};
  const char *version;
  setenv("OPENBLAS_NUM_THREADS", count, 1);
  setenv("OMP_NUM_THREADS", count, 1);
  setenv("MKL_NUM_THREADS", count, 1);
  TRY(assay_partner_start(argv, &state->python, err));
  assay_code code = assay_partner_ask(state->python, state->arena, NULL, PATIENCE, &version, err);
  if (code != ASSAY_OK) {
    assay_partner_stop(state->python);
    state->python = NULL;
  }
  return code;
}

static void close_peer(assay_peer_state *state) {
  if (state == NULL)
    return;
  assay_partner_stop(state->python);
  assay_arena_destroy(state->arena);
  free(state);
}

static assay_code open_peer(const char *root, int threads, assay_peer_state **out_state,
                            assay_error *err) {
  assay_peer_state *state = calloc(1, sizeof *state);
  if (state == NULL)
    abort();
  *state = (assay_peer_state){.arena = assay_arena_create(), .threads = threads};
  state->root = assay_arena_string(state->arena, root);
  if (start(state, err) != ASSAY_OK) {
    close_peer(state);
    err->code = ASSAY_MISSING;
    return ASSAY_MISSING;
  }
  *out_state = state;
  return ASSAY_OK;
}

static void renew(assay_peer_state *state) {
  state->stale = true;
}

static assay_code restart(assay_peer_state *state, assay_error *err) {
  assay_partner_stop(state->python);
  state->python = NULL;
  TRY(start(state, err));
  state->stale = false;
  return ASSAY_OK;
}

static assay_code ask(assay_peer_state *state, const char *line, double seconds,
                      const char **out_answer, assay_error *err) {
  return assay_partner_ask(state->python, state->arena, line, PATIENCE + seconds, out_answer, err);
}

static assay_code take(assay_peer_state *state, const assay_case *a_case, const char *data,
                       assay_error *err) {
  const char *answer;
  if (state->stale)
    TRY(restart(state, err));
  TRY(ask(state, assay_arena_format(state->arena, "take %s %s", data, a_case->line), 0, &answer,
          err));
  if (strncmp(answer, "no ", 3) == 0)
    return assay_fail(err, ASSAY_UNSUPPORTED, "%s", answer + 3);
  state->result_count = (int)strtol(answer, NULL, 10);
  return ASSAY_OK;
}

static double run_elsewhere(assay_peer_state *state, double seconds) {
  const char *answer;
  assay_error ignored;
  char line[32];
  snprintf(line, sizeof line, "run %g", seconds);
  if (ask(state, line, seconds, &answer, &ignored) != ASSAY_OK)
    return NAN;
  return strtod(answer, NULL);
}

static assay_code run(assay_peer_state *state, const assay_buffer inputs[],
                      const assay_buffer results[], assay_error *err) {
  (void)inputs; // it has made the same ones
  for (int i = 0; i < state->result_count; i++) {
    const char *answer;
    size_t size = assay_dtype_get(results[i].dtype)->size;
    for (int axis = 0; axis < results[i].shape.rank; axis++)
      size *= (size_t)results[i].shape.dim[axis];
    TRY(ask(state, assay_arena_format(state->arena, "result %d", i), 0, &answer, err));
    if (strtoull(answer, NULL, 10) != size)
      return assay_fail(err, ASSAY_FAILED, "NumPy's result %d has %s bytes, expected %zu", i,
                        answer, size);
    TRY(assay_partner_read(state->python, results[i].data, size, PATIENCE, err));
  }
  return ASSAY_OK;
}

const assay_peer assay_peer_numpy = {
    .name = "numpy",
    .summary = "NumPy with its own BLAS, in the oracle's Python",
    .open = open_peer,
    .close = close_peer,
    .take = take,
    .run = run,
    .run_elsewhere = run_elsewhere,
    .renew = renew,
};
