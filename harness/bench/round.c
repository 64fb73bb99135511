// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/round.h"

#include "compiler/runtime/blas.h"
#include "harness/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLD_ITERATIONS = 5 }; // evicting takes much longer than most runs

// A round at work.
typedef struct work {
  const assay_round_setting *setting;
  const assay_round *round;
  const assay_channel *channel;
  assay_entrant entrants[ASSAY_BENCH_CONTENDERS]; // those that are ready, in the round's order
  int ready;
  assay_round_news news; // too large for a stack that compiled code shares
} work;

static void tell_failure(work *it, int contender, assay_verdict verdict, double margin,
                         const char *reason) {
  it->news = (assay_round_news){
      .what = ASSAY_NEWS_FAILED, .contender = contender, .verdict = verdict, .margin = margin};
  snprintf(it->news.reason, sizeof it->news.reason, "%.1000s", reason);
  assay_channel_send(it->channel, &it->news);
}

// What a backend cannot do, for want of memory too, is skipped, whenever it finds out.
static void tell_error(work *it, int contender, const assay_error *err) {
  tell_failure(it, contender, err->code == ASSAY_UNSUPPORTED ? ASSAY_SKIP : ASSAY_ERROR, NAN,
               err->text);
}

// From here on a death is that one's.
static void tell_begun(work *it, int contender) {
  it->news = (assay_round_news){.what = ASSAY_NEWS_BEGUN, .contender = contender};
  assay_channel_send(it->channel, &it->news);
}

static int number_of(const work *it, const assay_entrant *entrant) {
  return (int)(entrant->who - it->setting->contenders);
}

// Whether what the warm-up left is right; the verdict is told where it is not. A backend was
// checked before, but with guards around what it allocates; this is the code that is timed.
static bool judge(work *it, const assay_entrant *entrant, double *out_margin) {
  const assay_exercise *exercise = it->setting->exercise;
  assay_judgement judgement = {0};
  for (int i = 0; i < exercise->program->result_count; i++) {
    assay_expected expected;
    assay_error err;
    if (assay_reference_get(exercise->reference, exercise->data, i, &expected, &err) != ASSAY_OK) {
      tell_failure(it, number_of(it, entrant), ASSAY_ERROR, NAN, err.text);
      return false;
    }
    assay_judge_result(exercise->a_case->line, exercise->data, i, &expected, &entrant->results[i],
                       &judgement);
  }
  *out_margin = judgement.margin;
  if (judgement.margin <= 1)
    return true;
  tell_failure(it, number_of(it, entrant), ASSAY_FAIL, judgement.margin, judgement.reason);
  return false;
}

// Leaves what was compiled for later rounds, where there is room.
static void keep_object(const work *it, const assay_entrant *entrant) {
  assay_round_store *store = it->setting->stores[number_of(it, entrant)];
  if (!entrant->compiled || store == NULL || entrant->object.size == 0 ||
      entrant->object.size > store->capacity)
    return;
  memcpy(store->bytes, entrant->object.bytes, entrant->object.size);
  store->size = entrant->object.size;
}

static void tell_ready(work *it, const assay_entrant *entrant, double margin) {
  bool compiled = entrant->compiled && entrant->who->opened != NULL;
  it->news = (assay_round_news){.what = ASSAY_NEWS_READY,
                                .contender = number_of(it, entrant),
                                .margin = margin,
                                .compiled = compiled,
                                .seconds_compile = entrant->report.seconds_compile,
                                .object_bytes = compiled ? (int64_t)entrant->object.size : 0,
                                .costs = entrant->report.costs,
                                .figures = entrant->report.figures,
                                .counters = entrant->counters};
  assay_channel_send(it->channel, &it->news);
}

static void prepare(work *it, int contender) {
  const assay_round_setting *setting = it->setting;
  const assay_contender *who = &setting->contenders[contender];
  const assay_round_store *store = setting->stores[contender];
  bool first = it->round->number == 0;
  assay_object object = {.bytes = NULL};
  if (!first && !it->round->compile[contender] && store != NULL && store->size > 0)
    object = (assay_object){.bytes = (void *)store->bytes, .size = store->size};
  tell_begun(it, contender);
  assay_entrant *entrant = &it->entrants[it->ready];
  assay_error err;
  if (assay_entrant_open(who, setting->exercise, &object, first, entrant, &err) != ASSAY_OK) {
    tell_error(it, contender, &err);
    return;
  }
  double margin = NAN;
  bool simulated = assay_contender_is_simulated(who);
  if (first && !simulated && setting->exercise->reference != NULL && !judge(it, entrant, &margin)) {
    assay_entrant_close(entrant);
    return;
  }
  keep_object(it, entrant);
  tell_ready(it, entrant, margin);
  it->ready++;
}

// One loop for each, in turn: a death is then that one's.
static void time_one(work *it, assay_entrant *entrant) {
  int contender = number_of(it, entrant);
  if (assay_contender_is_simulated(entrant->who))
    return;
  const assay_bench_options *options = it->setting->options;
  double seconds = it->round->seconds[contender];
  assay_batches plan = {.iterations = 0, .count = 1}; // the first round: how long a run is
  if (options->cold)
    plan = (assay_batches){.iterations = 1, .count = COLD_ITERATIONS};
  else if (seconds > 0)
    plan = assay_batches_plan(seconds, options->min_seconds);
  assay_timed item = assay_entrant_timed(entrant, plan);
  tell_begun(it, contender);
  assay_error err;
  assay_code code = assay_time_round(&item, 1, options->min_seconds, &err);
  if (code != ASSAY_OK || entrant->failed) {
    tell_error(it, contender, code != ASSAY_OK ? &err : &entrant->failure);
    return;
  }
  it->news = (assay_round_news){
      .what = ASSAY_NEWS_TIMED, .contender = contender, .seconds_run = item.seconds};
  assay_channel_send(it->channel, &it->news);
}

void assay_round_run(const assay_round_setting *setting, const assay_round *round,
                     const assay_channel *channel) {
  static work it; // of this process alone, which does nothing else
  it = (work){.setting = setting, .round = round, .channel = channel};
  assay_blas_set_threads(setting->options->threads);
  for (int i = 0; i < round->count; i++)
    prepare(&it, round->contenders[i]);
  assay_evictor *evictor = setting->options->cold ? assay_evictor_create() : NULL;
  for (int i = 0; i < it.ready; i++) {
    it.entrants[i].evictor = evictor;
    it.entrants[i].min_seconds = setting->options->cold ? 0 : setting->options->min_seconds;
    time_one(&it, &it.entrants[i]);
  }
  for (int i = 0; i < it.ready; i++) {
    tell_begun(&it, number_of(&it, &it.entrants[i]));
    assay_entrant_close(&it.entrants[i]);
  }
  assay_evictor_destroy(evictor);
}
