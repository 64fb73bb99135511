// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/serve.h"

#include "compiler/runtime/blas.h"
#include "harness/cli/bench_record.h"
#include "harness/cli/environment.h"
#include "harness/cli/stop.h"
#include "compiler/base/clock.h"
#include "results/record/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

// A conversation. Backends are the agenda's jobs, one each.
typedef struct service {
  const assay_session *session;
  assay_agenda *agenda;
  const assay_environment *environment;
  assay_exercise exercise;
  bool answerable; // the agenda has references
  assay_evictor *evictor;
  assay_contender contenders[MOST];
  assay_entrant entrants[MOST];
  bool loaded[MOST];
  const assay_record *checks[MOST]; // NULL: not asked for yet
  size_t checking;                  // the job that a check is being made of
} service;

static void answer(json_t *object) {
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(object);
  if (text == NULL)
    abort();
  puts(text);
  free(text);
}

// Which may quote bytes that are no text.
static void answer_error(const char *text) {
  answer(json_pack("{s:o}", "error", assay_json_text(text)));
}

static assay_code note_check(void *user, const assay_record *record, assay_error *err) {
  (void)err;
  service *it = user;
  assay_record *copy = assay_arena_take(it->session->arena, 1, sizeof *copy);
  *copy = assay_record_copy(it->session->arena, record);
  it->checks[it->checking] = copy;
  return ASSAY_OK;
}

static assay_code load_references(service *it, assay_error *err) {
  size_t unanswered;
  if (it->answerable)
    return ASSAY_OK;
  TRY(assay_agenda_load(it->session, it->agenda, &unanswered, err));
  it->answerable = true;
  return ASSAY_OK;
}

static assay_code check(service *it, size_t job, assay_error *err) {
  const assay_options *options = it->session->options;
  TRY(load_references(it, err));
  const assay_run_options run_options = {.parallel = 1,
                                         .seconds = options->timeout,
                                         .memory_bytes = (int64_t)options->memory * 1000000,
                                         .environment = it->environment,
                                         .stop = &assay_stop_signal};
  const assay_run_listener listener = {.user = it, .finished = note_check};
  it->checking = job;
  TRY(assay_run_jobs(&it->agenda->jobs[job], 1, &run_options, &listener, err));
  if (it->checks[job] == NULL)
    return assay_fail(err, ASSAY_FAILED, "the check was stopped");
  puts(assay_record_print(it->session->arena, it->checks[job]));
  return ASSAY_OK;
}

static void close_entrant(service *it, size_t job) {
  if (it->loaded[job])
    assay_entrant_close(&it->entrants[job]);
  it->loaded[job] = false;
}

static assay_code open_entrant(service *it, size_t job, bool watched, assay_error *err) {
  close_entrant(it, job);
  const assay_object none = {.bytes = NULL};
  TRY(assay_entrant_open(&it->contenders[job], &it->exercise, &none, watched, &it->entrants[job],
                         err));
  it->entrants[job].evictor = it->evictor;
  it->loaded[job] = true;
  return ASSAY_OK;
}

static assay_code describe(service *it, size_t job, assay_error *err) {
  TRY(open_entrant(it, job, true, err));
  const assay_entrant *entrant = &it->entrants[job];
  const assay_bench_result result = {.verdict = ASSAY_PASS,
                                     .margin = NAN,
                                     .costs = entrant->report.costs,
                                     .figures = entrant->report.figures,
                                     .counters = entrant->counters,
                                     .object_bytes = (int64_t)entrant->object.size};
  const char *started = assay_arena_string(it->session->arena, assay_clock_stamp().text);
  puts(assay_record_print(it->session->arena,
                          assay_bench_record(it->session, &it->exercise, &it->contenders[job],
                                             it->checks[job], &result, started, it->environment)));
  return ASSAY_OK;
}

static assay_code load(service *it, size_t job, assay_error *err) {
  enum { MOST_TIMES = 4 };
  static const double LONG = 0.15; // seconds: enough for one answer
  double fastest = 0, spent = 0;
  for (int i = 0; i < MOST_TIMES && spent < LONG; i++) {
    TRY(open_entrant(it, job, false, err));
    double seconds = it->entrants[job].report.seconds_compile;
    fastest = i == 0 || seconds < fastest ? seconds : fastest;
    spent += seconds;
  }
  answer(json_pack("{s:f}", "seconds", fastest));
  return ASSAY_OK;
}

static assay_code time_loop(service *it, size_t job, long long iterations, double seconds,
                            assay_error *err) {
  if (!it->loaded[job])
    return assay_fail(err, ASSAY_INVALID, "it is not loaded");
  assay_entrant *entrant = &it->entrants[job];
  // With cold caches each run stands for itself.
  assay_batches one = {.iterations = it->evictor != NULL ? 1 : iterations, .count = 1};
  assay_timed item = assay_entrant_timed(entrant, one);
  TRY(assay_time_round(&item, 1, seconds, err));
  if (entrant->failed) {
    *err = entrant->failure;
    return err->code;
  }
  answer(
      json_pack("{s:f, s:I}", "seconds", item.seconds, "iterations", (json_int_t)item.iterations));
  return ASSAY_OK;
}

// The numbers of a loop. Seconds count where the iterations are to be found.
static assay_code read_loop(const char *iterations, const char *seconds, long long *out_iterations,
                            double *out_seconds, assay_error *err) {
  static const double MOST_SECONDS = 3600;
  static const long long MOST_ITERATIONS = 1000000000;
  char *end = NULL, *end_seconds = NULL;
  *out_iterations = strtoll(iterations, &end, 10);
  *out_seconds = strtod(seconds, &end_seconds);
  if (end == iterations || *end != '\0' || *out_iterations < 0 || *out_iterations > MOST_ITERATIONS)
    return assay_fail(err, ASSAY_INVALID, "expected a number of iterations, found '%s'",
                      iterations);
  if (end_seconds == seconds || *end_seconds != '\0' || !(*out_seconds > 0) ||
      *out_seconds > MOST_SECONDS)
    return assay_fail(err, ASSAY_INVALID, "expected seconds above 0, found '%s'", seconds);
  return ASSAY_OK;
}

static assay_code answer_line(service *it, char *line, assay_error *err) {
  enum { WORDS = 4 };
  char *rest = NULL;
  const char *words[WORDS + 1] = {0};
  size_t count = 0, job = 0;
  for (char *word = strtok_r(line, " \n", &rest); word != NULL && count <= WORDS;
       word = strtok_r(NULL, " \n", &rest))
    words[count++] = word;
  const char *verb = count > 0 ? words[0] : "", *backend = count > 1 ? words[1] : "";
  bool timing = strcmp(verb, "time") == 0;
  if (!timing && strcmp(verb, "check") != 0 && strcmp(verb, "describe") != 0 &&
      strcmp(verb, "load") != 0)
    return assay_fail(err, ASSAY_INVALID, "unknown question '%s'", verb);
  if (count != (timing ? WORDS : 2))
    return assay_fail(err, ASSAY_INVALID, "expected %d words behind '%s', found %zu",
                      timing ? WORDS - 1 : 1, verb, count - 1);
  while (job < it->agenda->count && strcmp(it->contenders[job].name, backend) != 0)
    job++;
  if (job == it->agenda->count)
    return assay_fail(err, ASSAY_INVALID, "no backend '%s' here", backend);
  if (!timing)
    return verb[0] == 'c'   ? check(it, job, err)
           : verb[0] == 'd' ? describe(it, job, err)
                            : load(it, job, err);
  long long iterations;
  double seconds;
  TRY(read_loop(words[2], words[3], &iterations, &seconds, err));
  return time_loop(it, job, iterations, seconds, err);
}

static void converse(service *it) {
  char *line = NULL;
  size_t capacity = 0;
  puts("assay bench 1");
  fflush(stdout);
  while (getline(&line, &capacity, stdin) > 0) {
    assay_error err;
    if (answer_line(it, line, &err) != ASSAY_OK)
      answer_error(err.text);
    if (fflush(stdout) != 0)
      break;
  }
  free(line);
}

assay_code assay_serve(const assay_session *session, const assay_machine *machine,
                       assay_agenda *agenda, assay_error *err) {
  const assay_options *options = session->options;
  const assay_job *first = &agenda->jobs[0];
  assay_environment *environment = assay_environment_get(session->arena, session->root);
  assay_machine_describe(session->arena, machine, environment);
  service it = {.session = session, .agenda = agenda, .environment = environment};
  for (size_t j = 0; j < agenda->count; j++)
    if (agenda->count > MOST || agenda->jobs[j].a_case != first->a_case ||
        strcmp(agenda->jobs[j].data, first->data) != 0)
      return assay_fail(err, ASSAY_INVALID, "--serve takes one case and one data set");
  TRY(assay_exercise_open(session->arena, first->a_case, first->data, NULL, &it.exercise, err));
  for (size_t j = 0; j < agenda->count; j++)
    it.contenders[j] = (assay_contender){.name = agenda->jobs[j].opened->backend->name,
                                         .opened = agenda->jobs[j].opened};
  assay_blas_set_threads(options->threads > 0 ? options->threads : 1);
  it.evictor = options->cold ? assay_evictor_create() : NULL;
  converse(&it);
  for (size_t j = 0; j < agenda->count; j++)
    close_entrant(&it, j);
  assay_evictor_destroy(it.evictor);
  assay_exercise_close(&it.exercise);
  return ASSAY_OK;
}
