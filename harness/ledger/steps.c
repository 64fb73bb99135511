// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/steps.h"

#include "compiler/base/text.h"

#include <stdlib.h>
#include <string.h>

// A walk through a pipeline, in the child and seen from the parent.
typedef struct walk {
  const assay_ledger_request *request;
  assay_stepping_request step;
  assay_stepping *stepping; // shared
  int disorder;             // moves what the child allocates; 0: not at all
  assay_error *failure;     // shared; code OK where nothing failed
} walk;

// Blocks that are never given back, of sizes that differ from one disorder to the next, so that
// whatever is allocated afterwards lies elsewhere and in another order.
static void disturb_memory(int disorder) {
  enum { BLOCKS = 997 };
  static void *blocks[BLOCKS];
  unsigned state = (unsigned)disorder * 2654435761U;
  for (int i = 0; i < BLOCKS; i++) {
    state = state * 1664525U + 1013904223U;
    blocks[i] = malloc(16 + (state >> 20));
  }
  for (int i = 0; i < BLOCKS; i++) {
    state = state * 1664525U + 1013904223U;
    if (state >> 31 == 0)
      free(blocks[i]);
  }
}

static void walk_in_child(const assay_job *job) {
  walk *it = job->user;
  if (it->disorder > 0)
    disturb_memory(it->disorder);
  assay_error err = {.code = ASSAY_OK};
  if (assay_step(it->request->context, &it->step, it->request->shared, it->stepping, &err) !=
      ASSAY_OK)
    *it->failure = err;
}

static assay_code prepare(const assay_ledger_request *request, assay_arena *arena,
                          const assay_stepping_request *step, int disorder, walk *out_walk,
                          assay_job *out_job, assay_error *err) {
  *out_walk = (walk){.request = request,
                     .step = *step,
                     .disorder = disorder,
                     .stepping = assay_shared_take(request->shared, sizeof(assay_stepping)),
                     .failure = assay_shared_take(request->shared, sizeof(assay_error))};
  if (out_walk->stepping == NULL || out_walk->failure == NULL)
    return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  out_walk->failure->code = ASSAY_OK;
  *out_job =
      (assay_job){.body = walk_in_child, .user = out_walk, .pulse = &out_walk->stepping->pulse};
  (void)arena;
  return ASSAY_OK;
}

// The pass that was running when the process died, as an execution without an end.
static const assay_execution *dead_execution(assay_arena *arena, const assay_stepping *stepping,
                                             int n, const assay_snapshot *before) {
  int running = stepping->running_count;
  int most = (int)(sizeof stepping->running / sizeof stepping->running[0]);
  int innermost = running > most ? most - 1 : running - 1;
  assay_execution *dead = assay_arena_take(arena, 1, sizeof *dead);
  *dead = (assay_execution){.n = n,
                            .name = stepping->running[innermost].name,
                            .anchor = stepping->running[innermost].anchor,
                            .symbol = stepping->running[innermost].symbol,
                            .options = stepping->running[innermost].options,
                            .needs = stepping->running[innermost].needs,
                            .depth = innermost,
                            .message = "",
                            .before = before,
                            .after = before,
                            .verifies = true,
                            .verifier_message = ""};
  return dead;
}

static void collect(assay_arena *arena, const walk *it, const assay_job *job, assay_steps *steps) {
  const assay_stepping *stepping = it->stepping;
  int count = 0;
  for (const assay_execution *at = stepping->first; at != NULL; at = at->next)
    count++;
  steps->stepping = stepping;
  steps->executions = assay_arena_take(arena, (size_t)count + 1, sizeof(assay_execution *));
  steps->reason = "";
  const assay_snapshot *state = stepping->input;
  for (const assay_execution *at = stepping->first; at != NULL; at = at->next) {
    steps->executions[steps->count++] = at;
    state = at->after;
  }
  steps->stopped = stepping->phase != ASSAY_STEPPING_DONE && assay_pool_is_stopped(it->request);
  if (stepping->phase == ASSAY_STEPPING_DONE || stepping->running_count == 0 || steps->stopped)
    return;
  steps->executions[steps->count] = dead_execution(arena, stepping, steps->count + 1, state);
  steps->count++;
  steps->died = true;
  steps->death = job->ending == ASSAY_ENDED_LATE ? ASSAY_FAULT_TIMEOUT : ASSAY_FAULT_CRASH;
  steps->reason = job->reason;
}

assay_code assay_steps_take(const assay_ledger_request *request, assay_arena *arena,
                            assay_steps *out_steps, assay_error *err) {
  const assay_stepping_request step = {.file = request->file,
                                       .source = request->source,
                                       .size = request->size,
                                       .verify = true,
                                       .pipeline = request->pipeline};
  walk it;
  assay_job job, *const jobs[] = {&job};
  *out_steps = (assay_steps){0};
  TRY(prepare(request, arena, &step, 0, &it, &job, err));
  TRY(assay_pool_run(request, arena, "stepping the pipeline", request->timeout, jobs, 1, err));
  if (it.failure->code != ASSAY_OK) {
    *err = *it.failure;
    return err->code;
  }
  if (it.stepping->phase == ASSAY_STEPPING_STARTED && assay_pool_is_stopped(request))
    return assay_fail(err, ASSAY_FAILED, "stopped before the module was read");
  if (it.stepping->phase == ASSAY_STEPPING_STARTED)
    return assay_fail_at(err, ASSAY_INVALID, request->file, 0, 0,
                         "MLIR did not survive reading it: %s", job.reason);
  collect(arena, &it, &job, out_steps);
  return ASSAY_OK;
}

const char *assay_steps_pass(assay_arena *arena, const assay_execution *execution) {
  return assay_arena_format(arena, "%s(%s%s%s)", execution->anchor, execution->needs,
                            execution->needs[0] != '\0' ? "," : "", execution->options);
}

const char *assay_steps_pipeline(assay_arena *arena, const assay_execution *execution) {
  bool nested = strcmp(execution->anchor, "builtin.module") != 0;
  return assay_arena_format(arena, "%s%s%s", nested ? "builtin.module(" : "",
                            assay_steps_pass(arena, execution), nested ? ")" : "");
}

const char *assay_steps_command(assay_arena *arena, const assay_execution *execution) {
  if (execution->options[0] == '\0')
    return "";
  return assay_arena_format(arena, "--pass-pipeline='%s'", assay_steps_pipeline(arena, execution));
}

// All runs at once; their pipeline is the pass.
static assay_code run_all(const assay_ledger_request *request, assay_arena *arena,
                          const assay_stepping_request *step, const char *doing,
                          assay_pass_run runs[], int count, assay_error *err) {
  walk *walks = assay_arena_take(arena, (size_t)count, sizeof *walks);
  assay_job *jobs = assay_arena_take(arena, (size_t)count, sizeof *jobs);
  assay_job **order = assay_arena_take(arena, (size_t)count, sizeof(assay_job *));
  for (int i = 0; i < count; i++) {
    order[i] = &jobs[i];
    TRY(prepare(request, arena, step, runs[i].disorder, &walks[i], &jobs[i], err));
    walks[i].step.within = runs[i].within;
  }
  TRY(assay_pool_run(request, arena, doing, request->timeout, order, count, err));
  for (int i = 0; i < count; i++) {
    const assay_stepping *seen = walks[i].stepping;
    const assay_execution *last = seen->phase == ASSAY_STEPPING_DONE ? seen->first : NULL;
    while (last != NULL && last->next != NULL)
      last = last->next;
    runs[i].stepping = seen;
    runs[i].last = last;
    runs[i].ending = jobs[i].ending;
  }
  return ASSAY_OK;
}

assay_code assay_steps_alone(const assay_ledger_request *request, assay_arena *arena,
                             const assay_execution *execution, const char *doing,
                             assay_pass_run runs[], int count, assay_error *err) {
  if (execution->options[0] == '\0')
    return assay_fail(err, ASSAY_UNSUPPORTED, "%s has no argument to run it by", execution->name);
  const char *word =
      assay_arena_format(arena, "--pass-pipeline=%s", assay_steps_pass(arena, execution));
  assay_pass_pipeline *pipeline;
  TRY(assay_pass_pipeline_parse(request->context, 1, &word, &pipeline, err));
  const assay_stepping_request step = {.file = request->file,
                                       .state = execution->before,
                                       .pipeline = pipeline,
                                       .anchor = execution->anchor,
                                       .symbol = execution->symbol};
  assay_code code = run_all(request, arena, &step, doing, runs, count, err);
  assay_pass_pipeline_destroy(pipeline);
  return code;
}

assay_code assay_steps_again(const assay_ledger_request *request, assay_arena *arena,
                             const assay_execution *execution, int times,
                             const assay_snapshot *out_snapshots[], assay_error *err) {
  assay_pass_run *runs = assay_arena_take(arena, (size_t)times, sizeof *runs);
  for (int i = 0; i < times; i++)
    runs[i] = (assay_pass_run){.disorder = i};
  TRY(assay_steps_alone(request, arena, execution, "running the pass alone", runs, times, err));
  for (int i = 0; i < times; i++)
    out_snapshots[i] = runs[i].last != NULL ? runs[i].last->after : NULL;
  return ASSAY_OK;
}
