// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// numpy: the formula in plain NumPy, in a process of its own (reference/oracle/timing.py).
#include "harness/bench/partner.h"
#include "harness/bench/peer.h"
#include "reference/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct assay_peer_state {
  assay_arena *arena; // of the case
  assay_partner *python;
  int result_count;
};

// Seconds for an answer: a block of 1024 tokens takes some seconds where all is busy.
static const double PATIENCE = 120;

static assay_code open_peer(const char *root, int threads, assay_peer_state **out_state,
                            assay_error *err) {
  assay_arena *arena = assay_arena_create();
  char count[16];
  snprintf(count, sizeof count, "%d", threads);
  const char *const argv[] = {assay_oracle_python(arena, root),
                              "-I",
                              "-B",
                              assay_arena_format(arena, "%s/reference/oracle", root),
                              "time",
                              NULL};
  assay_partner *python;
  const char *answer;
  // Whatever BLAS this NumPy has.
  setenv("OPENBLAS_NUM_THREADS", count, 1);
  setenv("OMP_NUM_THREADS", count, 1);
  setenv("MKL_NUM_THREADS", count, 1);
  assay_code code = assay_partner_start(argv, &python, err);
  if (code == ASSAY_OK) {
    code = assay_partner_ask(python, arena, NULL, PATIENCE, &answer, err);
    if (code != ASSAY_OK)
      assay_partner_stop(python);
  }
  if (code != ASSAY_OK) {
    assay_arena_destroy(arena);
    err->code = ASSAY_MISSING;
    return ASSAY_MISSING;
  }
  *out_state = calloc(1, sizeof **out_state);
  if (*out_state == NULL)
    abort();
  **out_state = (assay_peer_state){.arena = arena, .python = python};
  return ASSAY_OK;
}

static void close_peer(assay_peer_state *state) {
  if (state == NULL)
    return;
  assay_partner_stop(state->python);
  assay_arena_destroy(state->arena);
  free(state);
}

static assay_code ask(assay_peer_state *state, const char *line, const char **out_answer,
                      assay_error *err) {
  return assay_partner_ask(state->python, state->arena, line, PATIENCE, out_answer, err);
}

static assay_code take(assay_peer_state *state, const assay_case *a_case, const char *data,
                       assay_error *err) {
  const char *answer;
  TRY(ask(state, assay_arena_format(state->arena, "take %s %s", data, a_case->line), &answer, err));
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
  if (ask(state, line, &answer, &ignored) != ASSAY_OK)
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
    TRY(ask(state, assay_arena_format(state->arena, "result %d", i), &answer, err));
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
};
