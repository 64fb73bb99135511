// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/bench.h"

#include "compiler/base/shared.h"
#include "harness/bench/round.h"
#include "compiler/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OBJECT_BYTES = 16 << 20, // room for each backend's object; untouched pages cost nothing
  RESERVE = 1 << 20,       // for what the range itself needs
};

// Compilations of a contender are timed until they have taken so long, then its object is linked.
static const double COMPILE_SECONDS = 0.8;

// A case being timed.
typedef struct bench {
  assay_round_setting setting;
  const assay_bench_options *options;
  size_t count;
  size_t most; // samples that there is room for
  assay_bench_result *results;
  assay_round round;
  int next; // number of the next round
  double started;
  double compiling[ASSAY_BENCH_CONTENDERS]; // seconds so far
  double seconds[ASSAY_BENCH_CONTENDERS];   // of a run, as the first round found it
  int current;                              // who is being worked on; -1: nobody
} bench;

static bool takes_part(const bench *it, size_t contender) {
  return it->results[contender].verdict == ASSAY_PASS;
}

static bool is_over(const bench *it) {
  const assay_bench_options *options = it->options;
  if (it->next > options->repetitions)
    return true;
  return options->most_seconds > 0 && it->next > ASSAY_BENCH_LEAST &&
         assay_clock_now() - it->started > options->most_seconds;
}

// The first round finds things out, and its times do not count.
static void *next_round(void *user) {
  bench *it = user;
  if (is_over(it))
    return NULL;
  assay_round *round = &it->round;
  *round = (assay_round){.number = it->next};
  for (size_t i = 0; i < it->count; i++) {
    size_t contender = (i + (size_t)it->next) % it->count;
    if (!takes_part(it, contender))
      continue;
    round->contenders[round->count++] = (int)contender;
    round->compile[contender] = it->compiling[contender] < COMPILE_SECONDS;
    round->seconds[contender] = it->seconds[contender];
  }
  if (round->count == 0)
    return NULL;
  it->next++;
  it->current = -1;
  return round;
}

static void run_round(void *user, void *task, const assay_channel *channel) {
  assay_round_run(&((bench *)user)->setting, task, channel);
}

static void take_ready(bench *it, const assay_round_news *news) {
  assay_bench_result *result = &it->results[news->contender];
  if (it->round.number == 0) {
    result->costs = news->costs;
    result->figures = news->figures;
    result->counters = news->counters;
    result->object_bytes = news->object_bytes;
    result->margin = news->margin;
  } else if (news->compiled && result->compile_count < it->most &&
             assay_sample_is_time(news->seconds_compile)) {
    result->compile_samples[result->compile_count++] = news->seconds_compile;
    it->compiling[news->contender] += news->seconds_compile;
  }
}

static assay_code take_news(void *user, void *task, const void *message, assay_error *err) {
  (void)task;
  (void)err;
  bench *it = user;
  const assay_round_news *news = message;
  if (news->contender < 0 || (size_t)news->contender >= it->count)
    return ASSAY_OK; // a child whose memory is damaged tells anything
  assay_bench_result *result = &it->results[news->contender];
  switch (news->what) {
  case ASSAY_NEWS_BEGUN:
    it->current = news->contender;
    break;
  case ASSAY_NEWS_READY:
    take_ready(it, news);
    break;
  case ASSAY_NEWS_TIMED:
    it->current = -1;
    if (it->round.number == 0)
      it->seconds[news->contender] = news->seconds_run;
    else if (result->run_count < it->most && assay_sample_is_time(news->seconds_run))
      result->run_samples[result->run_count++] = news->seconds_run;
    break;
  case ASSAY_NEWS_FAILED:
    it->current = -1;
    result->verdict = (unsigned)news->verdict < ASSAY_VERDICT_COUNT ? news->verdict : ASSAY_ERROR;
    result->margin = news->margin;
    snprintf(result->reason, sizeof result->reason, "%.*s", (int)sizeof news->reason - 1,
             news->reason);
    break;
  }
  return ASSAY_OK;
}

static assay_code end_round(void *user, void *task, assay_ending ending, const char *reason,
                            assay_error *err) {
  (void)task;
  bench *it = user;
  if (ending == ASSAY_ENDED_WELL)
    return ASSAY_OK;
  if (it->current < 0)
    return assay_fail(err, ASSAY_FAILED, "a round of '%s' ended early: %s",
                      it->setting.exercise->a_case->line, reason);
  assay_bench_result *result = &it->results[it->current];
  result->verdict = ending == ASSAY_ENDED_LATE ? ASSAY_TIMEOUT : ASSAY_CRASH;
  snprintf(result->reason, sizeof result->reason, "%.1000s", reason);
  return ASSAY_OK;
}

// Peers that do not do such cases are out before anything runs.
static void begin(assay_arena *arena, bench *it, assay_shared *shared) {
  it->most = (size_t)it->options->repetitions;
  for (size_t i = 0; i < it->count; i++) {
    const assay_contender *who = &it->setting.contenders[i];
    assay_bench_result *result = &it->results[i];
    *result = (assay_bench_result){.verdict = ASSAY_PASS, .margin = NAN};
    result->run_samples = assay_arena_take(arena, it->most, sizeof *result->run_samples);
    result->compile_samples = assay_arena_take(arena, it->most, sizeof *result->compile_samples);
    assay_error err;
    if (it->options->cold && assay_contender_is_on_device(who)) {
      result->verdict = ASSAY_SKIP;
      snprintf(result->reason, sizeof result->reason, "a device's caches cannot be emptied");
    } else if (who->opened != NULL) {
      it->setting.stores[i] = assay_shared_take(shared, OBJECT_BYTES);
      it->setting.stores[i]->capacity = OBJECT_BYTES - sizeof(assay_round_store);
    } else if (it->options->cold && who->peer->run_elsewhere != NULL) {
      result->verdict = ASSAY_SKIP;
      snprintf(result->reason, sizeof result->reason, "its own loop runs with warm caches");
    } else if (who->peer->take(who->state, it->setting.exercise->a_case, it->setting.exercise->data,
                               &err) != ASSAY_OK) {
      result->verdict = err.code == ASSAY_UNSUPPORTED ? ASSAY_SKIP : ASSAY_ERROR;
      snprintf(result->reason, sizeof result->reason, "%.1000s", err.text);
    }
  }
}

// A peer in a process of its own may still be busy with what it was asked in a round that ended.
static void renew_peers(const bench *it) {
  for (size_t i = 0; i < it->count; i++) {
    const assay_contender *who = &it->setting.contenders[i];
    assay_verdict verdict = it->results[i].verdict;
    if (who->opened == NULL && who->peer->renew != NULL && verdict != ASSAY_PASS &&
        verdict != ASSAY_SKIP)
      who->peer->renew(who->state);
  }
}

// A loop gives no sign of life, and finding out how often it is to run takes some times as long.
static double patience(const assay_bench_options *options) {
  return options->timeout + 5 * options->min_seconds;
}

assay_code assay_bench_case(assay_arena *arena, const assay_exercise *exercise,
                            const assay_contender contenders[], size_t count,
                            const assay_bench_options *options, assay_bench_result results[],
                            assay_error *err) {
  bench it = {.setting = {.exercise = exercise, .contenders = contenders, .options = options},
              .options = options,
              .count = count,
              .results = results,
              .started = assay_clock_now()};
  assay_shared *shared;
  TRY(assay_shared_create(count * OBJECT_BYTES + RESERVE, &shared, err));
  begin(arena, &it, shared);
  const assay_isolation isolation = {.parallel = 1,
                                     .seconds = patience(options),
                                     .memory_bytes = options->memory_bytes,
                                     .message_size = sizeof(assay_round_news),
                                     .stop = options->stop};
  const assay_isolated_work work = {
      .user = &it, .next = next_round, .body = run_round, .message = take_news, .ended = end_round};
  assay_code code = assay_isolate(&isolation, &work, err);
  assay_shared_destroy(shared);
  renew_peers(&it);
  return code;
}
