// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/runs.h"

#include <string.h>

// Fresh memory, by data set: numbers in every floating type, negative and positive, and huge as
// integers. A maximum that starts from nothing hides behind the one, a minimum behind the other,
// and either behind a NaN.
static const unsigned char poisons[ASSAY_DATA_SETS] = {0xC1, 0x5A};

// A compilation and its runs, in the child and seen from the parent.
typedef struct finish {
  const assay_ledger_request *request;
  assay_tail_request tail;
  assay_tail_answer *answer; // shared
} finish;

static void finish_in_child(const assay_job *job) {
  finish *it = job->user;
  assay_error err;
  if (assay_tail_execute(&it->tail, it->request->shared, it->answer, &err) == ASSAY_OK)
    return;
  it->answer->status = ASSAY_TAIL_NOT_RUN;
  it->answer->reason = assay_shared_string(it->request->shared, err.text);
  it->answer->ready = it->answer->reason != NULL;
}

static int count_runs(const assay_subject_entry *entry, const assay_run_wanted *wanted) {
  int each = wanted->purpose == ASSAY_RUN_SAMPLES    ? 2 * wanted->samples
             : wanted->purpose == ASSAY_RUN_POISONED ? 2
                                                     : 1;
  return each * entry->data_count;
}

static const assay_tail_run *plan_runs(assay_arena *arena, const assay_subject_entry *entry,
                                       const assay_run_wanted *wanted) {
  int count = count_runs(entry, wanted), each = count / entry->data_count;
  assay_tail_run *runs = assay_arena_take(arena, (size_t)count, sizeof *runs);
  for (int i = 0; i < count; i++) {
    int sample = i % each;
    int data = entry->data[i / each];
    bool other = wanted->purpose == ASSAY_RUN_POISONED && sample == 0;
    runs[i] = (assay_tail_run){
        .data = data,
        .poison = poisons[other ? 1 - data : data],
        .uneven = other,
        .moved = wanted->purpose == ASSAY_RUN_POISONED && sample == 1,
        .guarded = wanted->purpose != ASSAY_RUN_SAMPLES,
    };
    if (wanted->purpose == ASSAY_RUN_SAMPLES) {
      runs[i].seed = wanted->seed + (uint64_t)sample + 1;
      runs[i].amplified = sample >= wanted->samples;
    }
  }
  return runs;
}

static assay_instrument instrument_of(assay_run_purpose purpose) {
  switch (purpose) {
  case ASSAY_RUN_SAMPLES:
    return ASSAY_INSTRUMENT_ROUNDING;
  case ASSAY_RUN_NAN:
    return ASSAY_INSTRUMENT_NAN;
  case ASSAY_RUN_INF:
    return ASSAY_INSTRUMENT_INF;
  case ASSAY_RUN_NAN_EXACTLY:
    return ASSAY_INSTRUMENT_NAN_EXACTLY;
  case ASSAY_RUN_INF_EXACTLY:
    return ASSAY_INSTRUMENT_INF_EXACTLY;
  case ASSAY_RUN_LOSS:
    return ASSAY_INSTRUMENT_LOSS;
  case ASSAY_RUN_PLAIN:
  case ASSAY_RUN_POISONED:
    break;
  }
  return ASSAY_INSTRUMENT_NONE;
}

// What ran in no time before runs long if at all when it has not ended after this.
static double run_limit(const assay_ledger_request *request, const assay_subject_entry *entry,
                        const assay_run_wanted *wanted) {
  const double least = 2, times = 100;
  double limit = least + times * entry->seconds;
  assay_instrument instrument = instrument_of(wanted->purpose);
  bool is_alike = instrument == ASSAY_INSTRUMENT_NONE || instrument >= ASSAY_INSTRUMENT_NAN_EXACTLY;
  bool is_known = entry->baseline != NULL && is_alike;
  return is_known && limit < request->timeout ? limit : request->timeout;
}

static assay_tail_request describe(const assay_ledger_request *request, assay_arena *arena,
                                   const assay_subject_entry *entry,
                                   const assay_run_wanted *wanted) {
  assay_tail_request made = {
      .context = request->context,
      .state = wanted->state,
      .entry = entry->name,
      .input_type = entry->input_type,
      .last_type = wanted->last_type,
      .tail = wanted->tail,
      .other_steps = wanted->other_steps,
      .user_tail = request->user_tail,
      .dim_count = request->dim_count > 0 ? request->dim_count : entry->dim_count,
      .data_seed = request->seed,
      .cautious = entry->cautious,
      .baseline = entry->baseline,
      .inputs = request->inputs,
      .input_count = request->input_count,
      .declared = entry->declared,
      .given = entry->given,
      .declared_count = entry->declared_count,
      .optimise = entry->optimise,
      .literal = wanted->literal,
      .checked = wanted->checked,
      .instrument = instrument_of(wanted->purpose),
      .source = wanted->source,
      .at_once = wanted->purpose == ASSAY_RUN_SAMPLES ? request->jobs : 1,
      .run_count = count_runs(entry, wanted),
      .runs = plan_runs(arena, entry, wanted),
      .run_seconds = run_limit(request, entry, wanted),
      .reuse = wanted->reused ? entry->reuse : NULL,
  };
  memcpy(made.dims, request->dim_count > 0 ? request->dims : entry->dims, sizeof made.dims);
  return made;
}

// A child that did not come to its answer: the tail died or hung on this state.
static assay_code complete(const assay_ledger_request *request, assay_arena *arena,
                           const assay_job *job, assay_tail_answer *answer, assay_error *err) {
  if (answer->ready)
    return ASSAY_OK;
  const char *reason =
      assay_pool_is_stopped(request)
          ? "stopped"
          : assay_arena_format(arena, "the tail did not survive this state: %s", job->reason);
  answer->status = ASSAY_TAIL_NOT_RUN;
  answer->reason = assay_shared_string(request->shared, reason);
  answer->ready = answer->reason != NULL;
  return answer->ready ? ASSAY_OK : assay_fail(err, ASSAY_FAILED, "no shared memory is left");
}

// A compilation shows no sign of life until it is done, and takes as long as the state is large.
static double patience(const assay_ledger_request *request, const assay_run_wanted wanted[],
                       int count) {
  const double ops_in_time = 1000;
  double most = 0;
  for (int i = 0; i < count; i++) {
    double ops = 0;
    for (int k = 0; k < wanted[i].state->op_count; k++)
      ops += (double)wanted[i].state->ops[k].count;
    most = ops > most ? ops : most;
  }
  return request->timeout * (1 + most / ops_in_time);
}

assay_code assay_runs_take(const assay_ledger_request *request, assay_arena *arena,
                           const assay_subject_entry *entry, const char *doing,
                           const assay_run_wanted wanted[], int count,
                           const assay_tail_answer *answers[], assay_error *err) {
  finish *finishes = assay_arena_take(arena, (size_t)count, sizeof *finishes);
  assay_job *jobs = assay_arena_take(arena, (size_t)count, sizeof *jobs);
  assay_job **order = assay_arena_take(arena, (size_t)count, sizeof(assay_job *));
  for (int i = 0; i < count; i++) {
    assay_tail_answer *answer = assay_shared_take(request->shared, sizeof *answer);
    if (answer == NULL)
      return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
    finishes[i] = (finish){
        .request = request, .tail = describe(request, arena, entry, &wanted[i]), .answer = answer};
    jobs[i] = (assay_job){.body = finish_in_child, .user = &finishes[i], .pulse = &answer->pulse};
    order[i] = &jobs[i];
    answers[i] = answer;
  }
  TRY(assay_pool_run(request, arena, doing, patience(request, wanted, count), order, count, err));
  for (int i = 0; i < count; i++)
    TRY(complete(request, arena, &jobs[i], finishes[i].answer, err));
  return ASSAY_OK;
}

assay_code assay_runs_arguments(const assay_ledger_request *request, assay_arena *arena,
                                const assay_subject_entry *entry, int data,
                                const assay_observation **out_arguments, assay_error *err) {
  const assay_run_wanted any = {.last_type = entry->input_type};
  assay_tail_request tail = describe(request, arena, entry, &any);
  assay_observation *made = assay_arena_take(arena, 1, sizeof *made);
  assay_code code = assay_tail_arguments(&tail, data, request->shared, made, err);
  *out_arguments = code == ASSAY_OK && made->count > 0 ? made : NULL;
  return code == ASSAY_UNSUPPORTED ? ASSAY_OK : code;
}
