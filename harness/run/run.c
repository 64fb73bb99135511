// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule: each group of the plan goes to a child, which sends one outcome for each of its
// jobs in order. Whatever ends a child early is the outcome of the job it was at, and the jobs
// after that one go to a fresh child.
#include "harness/run/run.h"

#include "compiler/base/clock.h"
#include "harness/run/execute.h"
#include "harness/isolate/isolate.h"
#include "harness/run/plan.h"

#include <string.h>

// A group on its way through children.
typedef struct errand {
  const assay_group *group;
  size_t done;             // jobs with an outcome
  size_t done_before;      // what done was when the present child started
  bool running;            // a child has it
  assay_timestamp started; // of the job the child is at
} errand;

typedef struct schedule {
  const assay_job *jobs;
  const assay_run_options *options;
  const assay_run_listener *listener;
  errand *errands;
  size_t count;
  size_t first_open; // all errands before it are done
} schedule;

static bool is_done(const errand *it) {
  return it->done == it->group->count;
}

static void *next_errand(void *user) {
  schedule *it = user;
  while (it->first_open < it->count && is_done(&it->errands[it->first_open]))
    it->first_open++;
  for (size_t i = it->first_open; i < it->count; i++) {
    errand *each = &it->errands[i];
    if (each->running || is_done(each))
      continue;
    each->running = true;
    each->done_before = each->done;
    each->started = assay_clock_stamp();
    return each;
  }
  return NULL;
}

// In the child. The last outcome is sent after the program is unloaded, so that a crash there is
// one of its last job. Only PASS and SKIP leave a process fit for more jobs.
static void do_errand(void *user, void *task, const assay_channel *channel) {
  const schedule *it = user;
  const errand *mine = task;
  const assay_group *group = mine->group;
  const assay_job *first = &it->jobs[group->jobs[0]];
  assay_session session = {0};
  if (group->program != NULL && first->opened != NULL)
    assay_session_open(first->opened, group->program, &session);
  for (size_t i = mine->done; i < group->count; i++) {
    const assay_job *job = &it->jobs[group->jobs[i]];
    assay_outcome outcome;
    if (session.opened == NULL)
      assay_execute_build(job, &outcome);
    else
      assay_session_execute(&session, job, &outcome);
    bool last =
        i + 1 == group->count || (outcome.verdict != ASSAY_PASS && outcome.verdict != ASSAY_SKIP);
    if (last && session.opened != NULL)
      assay_session_close(&session);
    assay_channel_send(channel, &outcome);
    if (last)
      return;
  }
}

static assay_code tell(schedule *it, errand *of, const assay_outcome *outcome, assay_error *err) {
  const assay_job *job = &it->jobs[of->group->jobs[of->done]];
  assay_arena *arena = assay_arena_create();
  const assay_record *record =
      assay_outcome_record(arena, job, outcome, of->started.text, it->options->environment);
  if (outcome->note[0] != '\0' && it->listener->noted != NULL)
    it->listener->noted(it->listener->user, outcome->note);
  assay_code code = it->listener->finished(it->listener->user, record, err);
  assay_arena_destroy(arena);
  of->done++;
  of->started = assay_clock_stamp();
  return code;
}

static assay_code take_outcome(void *user, void *task, const void *message, assay_error *err) {
  errand *of = task;
  if (is_done(of))
    return ASSAY_OK; // a damaged child talks on
  assay_outcome outcome;
  memcpy(&outcome, message, sizeof outcome);
  if (!assay_outcome_repair(&outcome))
    assay_outcome_set(&outcome, ASSAY_CRASH, "the case's process sent a damaged answer");
  return tell(user, of, &outcome, err);
}

static assay_code end_errand(void *user, void *task, assay_ending ending, const char *reason,
                             assay_error *err) {
  errand *of = task;
  of->running = false;
  if (is_done(of))
    return ASSAY_OK;
  assay_outcome outcome;
  if (ending == ASSAY_ENDED_WELL && of->done > of->done_before)
    return ASSAY_OK; // it stopped after a verdict that asks for a fresh child
  if (ending == ASSAY_ENDED_WELL)
    assay_outcome_set(&outcome, ASSAY_CRASH, "the case's process ended without an answer");
  else
    assay_outcome_set(&outcome, ending == ASSAY_ENDED_LATE ? ASSAY_TIMEOUT : ASSAY_CRASH, "%s",
                      reason);
  return tell(user, of, &outcome, err);
}

assay_code assay_run_jobs(const assay_job jobs[], size_t count, const assay_run_options *options,
                          const assay_run_listener *listener, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  const assay_plan *plan = assay_plan_make(arena, jobs, count);
  schedule it = {.jobs = jobs, .options = options, .listener = listener, .count = plan->count};
  it.errands = assay_arena_take(arena, plan->count, sizeof *it.errands);
  for (size_t i = 0; i < plan->count; i++)
    it.errands[i].group = &plan->groups[i];
  // More children than groups have nothing to do. Where there is none, none is started.
  size_t most = plan->count > 0 ? plan->count : 1;
  const assay_isolation isolation = {
      .parallel = (size_t)options->parallel < most ? options->parallel : (int)most,
      .seconds = options->seconds,
      .memory_bytes = options->memory_bytes,
      .message_size = sizeof(assay_outcome),
      .stop = options->stop};
  const assay_isolated_work work = {.user = &it,
                                    .next = next_errand,
                                    .body = do_errand,
                                    .message = take_outcome,
                                    .ended = end_errand};
  assay_code code = assay_isolate(&isolation, &work, err);
  assay_arena_destroy(arena);
  return code;
}
