// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/pairs.h"

#include "harness/bench/partner.h"
#include "harness/time/loop.h"

#include <jansson.h>
#include <math.h>
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

// What a program said, without what a terminal would obey.
static const char *quote(assay_arena *arena, const char *said) {
  char *text = assay_arena_format(arena, "%.60s", said);
  for (char *at = text; *at != '\0'; at++)
    if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
      *at = '?';
  return text;
}

// Checking has the time limit itself, and may need the oracle first; compiling is done some times.
static double patience(const pairing *it) {
  return 10 * it->options->timeout;
}

static assay_code start(pairing *it, int side, assay_error *err) {
  const char *answer;
  TRY(assay_partner_start(it->argv[side], &it->partners[side], err));
  assay_error why;
  if (assay_partner_ask(it->partners[side], it->arena, NULL, it->options->timeout, &answer, &why) !=
      ASSAY_OK)
    return assay_fail(err, ASSAY_FAILED, "%s; expected a build that knows `assay bench --serve`",
                      why.text);
  if (strcmp(answer, GREETING) == 0)
    return ASSAY_OK;
  return assay_fail(err, ASSAY_INVALID,
                    "'%s' does not answer as `assay bench --serve`: it said '%s', expected '%s'",
                    it->argv[side][0], quote(it->arena, answer), GREETING);
}

static bool is_out(const pairing *it, size_t backend) {
  return it->pairs->results[backend][0].failure != NULL ||
         it->pairs->results[backend][1].failure != NULL;
}

// Why this backend has no samples; the reason of a side that has one stays.
static void note_failure(pairing *it, size_t backend, int side, const char *why) {
  assay_pair_result *result = &it->pairs->results[backend][side];
  if (result->failure == NULL)
    result->failure = assay_arena_string(it->arena, why);
}

// Asks about a backend. The answer is a JSON object, which the caller frees: NULL where that side
// does not answer any more or answers with an error, which takes the backend out. A side that does
// not answer is started anew, for the other backends.
static assay_code ask(pairing *it, size_t backend, int side, const char *question,
                      json_t **out_answer, const char **out_text, assay_error *err) {
  assay_error why;
  *out_answer = NULL;
  if (assay_partner_ask(it->partners[side], it->arena, question, patience(it), out_text, &why) !=
      ASSAY_OK) {
    if (*it->options->stop != 0) {
      *err = why;
      return why.code;
    }
    note_failure(it, backend, side, why.text);
    assay_partner_stop(it->partners[side]);
    it->partners[side] = NULL;
    return start(it, side, err);
  }
  json_t *answer = json_loads(*out_text, JSON_REJECT_DUPLICATES, NULL);
  if (!json_is_object(answer)) {
    json_decref(answer);
    return assay_fail(err, ASSAY_INVALID, "'%s' answered '%s' to '%s', expected a JSON object",
                      it->argv[side][0], quote(it->arena, *out_text), question);
  }
  const char *error = json_string_value(json_object_get(answer, "error"));
  if (error != NULL) {
    note_failure(it, backend, side, error);
    json_decref(answer);
  } else {
    *out_answer = answer;
  }
  return ASSAY_OK;
}

// A number of an answer, which must be above 0 or, where it may be, 0.
static assay_code get_number(const pairing *it, int side, const json_t *answer, const char *name,
                             bool zero, double *out_number, assay_error *err) {
  const json_t *value = json_object_get(answer, name);
  *out_number = json_number_value(value);
  if (json_is_number(value) && (*out_number > 0 || (zero && *out_number == 0)))
    return ASSAY_OK;
  return assay_fail(err, ASSAY_INVALID, "'%s' answered without a number \"%s\" above 0",
                    it->argv[side][0], name);
}

// The first pair finds out what there is: whether each backend is right, and what compiling costs.
static assay_code examine(pairing *it, size_t backend, int side, assay_error *err) {
  assay_pair_result *result = &it->pairs->results[backend][side];
  const char *const words[] = {"check", "describe"};
  const char **const places[] = {&result->check, &result->description};
  for (int i = 0; i < 2 && result->failure == NULL; i++) {
    json_t *answer;
    const char *text;
    const char *question = assay_arena_format(it->arena, "%s %s", words[i], it->backends[backend]);
    TRY(ask(it, backend, side, question, &answer, &text, err));
    if (answer == NULL)
      return ASSAY_OK;
    const char *verdict = json_string_value(json_object_get(answer, "verdict"));
    *places[i] = text;
    if (verdict == NULL || (strcmp(verdict, "PASS") != 0 && strcmp(verdict, "WARN") != 0))
      note_failure(it, backend, side,
                   assay_arena_format(it->arena, "%s, and is not timed",
                                      verdict != NULL ? verdict : "it has no verdict"));
    json_decref(answer);
  }
  return ASSAY_OK;
}

static assay_code load(pairing *it, size_t backend, int side, int pair, assay_error *err) {
  json_t *answer;
  const char *text;
  const char *question = assay_arena_format(it->arena, "load %s", it->backends[backend]);
  TRY(ask(it, backend, side, question, &answer, &text, err));
  if (answer == NULL)
    return ASSAY_OK;
  assay_code code = get_number(it, side, answer, "seconds", true,
                               &it->pairs->results[backend][side].compile_samples[pair], err);
  json_decref(answer);
  return code;
}

// With 0 iterations of 20 ms. *out_seconds: of one run; 0 where the backend is out.
static assay_code time_batch(pairing *it, size_t backend, int side, double *out_seconds,
                             assay_error *err) {
  json_t *answer;
  const char *text;
  *out_seconds = 0;
  const char *question = assay_arena_format(it->arena, "time %s %lld 0.02", it->backends[backend],
                                            it->iterations[backend]);
  TRY(ask(it, backend, side, question, &answer, &text, err));
  if (answer == NULL)
    return ASSAY_OK;
  assay_code code = get_number(it, side, answer, "seconds", false, out_seconds, err);
  json_decref(answer);
  return code;
}

// How long a batch is, and how many there are: for both by the slower one, lest
// it take as long as it is slower. Where a side's own loop has a fixed number of runs (cold
// caches), that is a batch.
static assay_code plan_batches(pairing *it, size_t backend, assay_error *err) {
  double slowest = 0;
  for (int side = 0; side < ASSAY_SIDES && !is_out(it, backend); side++) {
    double seconds;
    TRY(time_batch(it, backend, side, &seconds, err));
    slowest = fmax(slowest, seconds);
  }
  if (is_out(it, backend))
    return ASSAY_OK;
  assay_batches plan = assay_batches_plan(slowest, it->options->min_seconds);
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
    TRY(time_batch(it, backend, side, &batches[side][i / 2], err));
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
