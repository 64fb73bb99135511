// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/pairs.h"

#include "harness/bench/partner.h"
#include "harness/time/loop.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BATCHES = 12 }; // of each side in a pair

static const char GREETING[] = "assay bench 1";

// A measurement at work.
typedef struct pairing {
  assay_arena *arena;
  const char *const *const *argv;
  const char *const *backends;
  size_t backend_count;
  const assay_pair_options *options;
  assay_pairs *pairs;
  assay_partner *partners[ASSAY_SIDES];
  long long iterations[ASSAY_PAIR_BACKENDS]; // of a batch, the same on both sides; 0: not known
  int batches[ASSAY_PAIR_BACKENDS];          // of each side in a pair
} pairing;

static void stop_both(pairing *it) {
  for (int side = 0; side < ASSAY_SIDES; side++) {
    assay_partner_stop(it->partners[side]);
    it->partners[side] = NULL;
  }
}

static assay_code start(pairing *it, int side, assay_error *err) {
  const char *answer;
  TRY(assay_partner_start(it->argv[side], &it->partners[side], err));
  TRY(assay_partner_ask(it->partners[side], it->arena, NULL, it->options->timeout, &answer, err));
  if (strcmp(answer, GREETING) == 0)
    return ASSAY_OK;
  return assay_fail(err, ASSAY_INVALID,
                    "'%s' does not answer as `assay bench --serve`: it said '%.60s', expected '%s'",
                    it->argv[side][0], answer, GREETING);
}

// A question about a backend, answered by a JSON object; the caller frees *out_answer.
static assay_code ask(pairing *it, int side, const char *question, json_t **out_answer,
                      const char **out_text, assay_error *err) {
  TRY(assay_partner_ask(it->partners[side], it->arena, question, it->options->timeout, out_text,
                        err));
  *out_answer = json_loads(*out_text, JSON_REJECT_DUPLICATES, NULL);
  if (json_is_object(*out_answer))
    return ASSAY_OK;
  json_decref(*out_answer);
  return assay_fail(err, ASSAY_INVALID, "'%s' answered '%.60s' to '%s', expected a JSON object",
                    it->argv[side][0], *out_text, question);
}

static bool is_out(const pairing *it, size_t backend) {
  return it->pairs->results[backend][0].failure != NULL ||
         it->pairs->results[backend][1].failure != NULL;
}

// An answer with an "error" takes the backend out.
static bool note_failure(pairing *it, size_t backend, int side, const json_t *answer) {
  const char *error = json_string_value(json_object_get(answer, "error"));
  if (error != NULL)
    it->pairs->results[backend][side].failure = assay_arena_string(it->arena, error);
  return error != NULL;
}

// The first pair finds out what there is: whether each backend is right, and what compiling costs.
static assay_code examine(pairing *it, size_t backend, int side, assay_error *err) {
  assay_pair_result *result = &it->pairs->results[backend][side];
  const char *const words[] = {"check", "describe"};
  const char **const places[] = {&result->check, &result->description};
  for (int i = 0; i < 2 && result->failure == NULL; i++) {
    json_t *answer;
    const char *text;
    TRY(ask(it, side, assay_arena_format(it->arena, "%s %s", words[i], it->backends[backend]),
            &answer, &text, err));
    const char *verdict = json_string_value(json_object_get(answer, "verdict"));
    if (!note_failure(it, backend, side, answer))
      *places[i] = text;
    if (verdict != NULL && strcmp(verdict, "PASS") != 0 && strcmp(verdict, "WARN") != 0)
      result->failure = assay_arena_format(it->arena, "%s, and is not timed", verdict);
    json_decref(answer);
  }
  return ASSAY_OK;
}

static assay_code load(pairing *it, size_t backend, int side, int pair, assay_error *err) {
  json_t *answer;
  const char *text;
  TRY(ask(it, side, assay_arena_format(it->arena, "load %s", it->backends[backend]), &answer, &text,
          err));
  note_failure(it, backend, side, answer);
  it->pairs->results[backend][side].compile_samples[pair] =
      json_number_value(json_object_get(answer, "seconds"));
  json_decref(answer);
  return ASSAY_OK;
}

// With 0 iterations of 20 ms; the answer's own iterations in *out_iterations.
static assay_code time_batch(pairing *it, size_t backend, int side, double *out_seconds,
                             long long *out_iterations, assay_error *err) {
  json_t *answer;
  const char *text;
  TRY(ask(it, side,
          assay_arena_format(it->arena, "time %s %lld 0.02", it->backends[backend],
                             it->iterations[backend]),
          &answer, &text, err));
  note_failure(it, backend, side, answer);
  *out_seconds = json_number_value(json_object_get(answer, "seconds"));
  *out_iterations = json_integer_value(json_object_get(answer, "iterations"));
  json_decref(answer);
  return ASSAY_OK;
}

// How long a batch is, and how many there are: found by one side, for both. Where a side's own loop
// has a fixed number of runs (cold caches), that is a batch.
static assay_code plan_batches(pairing *it, size_t backend, assay_error *err) {
  double seconds;
  long long iterations;
  TRY(time_batch(it, backend, 0, &seconds, &iterations, err));
  if (is_out(it, backend))
    return ASSAY_OK;
  assay_batches plan = assay_batches_plan(seconds, it->options->min_seconds);
  it->iterations[backend] = plan.iterations;
  it->batches[backend] = plan.count < LEAST_BATCHES ? LEAST_BATCHES : plan.count;
  return ASSAY_OK;
}

static assay_code time_backend(pairing *it, size_t backend, int pair, assay_error *err) {
  static const size_t SIZE = sizeof(double);
  if (it->batches[backend] == 0)
    TRY(plan_batches(it, backend, err));
  int count = it->batches[backend];
  double *batches[ASSAY_SIDES];
  for (int side = 0; side < ASSAY_SIDES; side++)
    batches[side] = assay_arena_take(it->arena, (size_t)count, SIZE);
  for (int i = 0; i < ASSAY_SIDES * count && !is_out(it, backend); i++) {
    int side = (pair + (i + 1) / 2) % ASSAY_SIDES; // A B B A A B B A
    long long unused;
    TRY(time_batch(it, backend, side, &batches[side][i / 2], &unused, err));
  }
  for (int side = 0; side < ASSAY_SIDES && !is_out(it, backend); side++)
    it->pairs->results[backend][side].run_samples[pair] =
        assay_time_decile(batches[side], (size_t)count);
  return ASSAY_OK;
}

static assay_code time_pair(pairing *it, int pair, assay_error *err) {
  for (int i = 0; i < ASSAY_SIDES; i++)
    TRY(start(it, (pair + i) % ASSAY_SIDES, err));
  for (size_t b = 0; b < it->backend_count; b++) {
    for (int i = 0; i < ASSAY_SIDES && pair == 0; i++)
      TRY(examine(it, b, i, err));
    for (int i = 0; i < ASSAY_SIDES && !is_out(it, b); i++)
      TRY(load(it, b, (pair + i) % ASSAY_SIDES, pair, err));
    if (!is_out(it, b))
      TRY(time_backend(it, b, pair, err));
  }
  return ASSAY_OK;
}

static bool any_left(const pairing *it) {
  for (size_t b = 0; b < it->backend_count; b++)
    if (!is_out(it, b))
      return true;
  return false;
}

assay_code assay_pairs_time(assay_arena *arena, const char *const *const argv[ASSAY_SIDES],
                            const char *const backends[], size_t backend_count,
                            const assay_pair_options *options, const assay_pairs **out_pairs,
                            assay_error *err) {
  assay_pairs *pairs = assay_arena_take(arena, 1, sizeof *pairs);
  pairing it = {.arena = arena,
                .argv = argv,
                .backends = backends,
                .backend_count = backend_count,
                .options = options,
                .pairs = pairs};
  size_t most = (size_t)options->pairs;
  for (size_t b = 0; b < backend_count; b++)
    for (int side = 0; side < ASSAY_SIDES; side++) {
      pairs->results[b][side].run_samples = assay_arena_take(arena, most, sizeof(double));
      pairs->results[b][side].compile_samples = assay_arena_take(arena, most, sizeof(double));
    }
  assay_code code = ASSAY_OK;
  for (int pair = 0; pair < options->pairs && code == ASSAY_OK && *options->stop == 0; pair++) {
    if (options->progress != NULL)
      options->progress(options->user, pair + 1, options->pairs);
    code = time_pair(&it, pair, err);
    stop_both(&it);
    if (code == ASSAY_OK && *options->stop == 0)
      pairs->count = pair + 1;
    if (!any_left(&it))
      break;
  }
  *out_pairs = pairs;
  return *options->stop != 0 ? ASSAY_OK : code;
}
