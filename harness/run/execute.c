// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/execute.h"

#include "harness/judge/judge.h"
#include "compiler/base/clock.h"
#include "harness/run/examine.h"
#include "harness/run/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_error(assay_outcome *outcome, assay_verdict verdict, const assay_error *err) {
  assay_outcome_set(outcome, verdict, "%s%s%s", err->where, err->where[0] != '\0' ? ": " : "",
                    err->text);
}

// What a backend cannot do is skipped, whenever it finds out.
static void set_failure(assay_outcome *outcome, assay_code code, const assay_error *err) {
  set_error(outcome, code == ASSAY_UNSUPPORTED ? ASSAY_SKIP : ASSAY_ERROR, err);
}

void assay_session_open(const assay_opened *opened, const assay_program *program,
                        assay_session *out_session) {
  *out_session = (assay_session){.opened = opened, .program = program};
  const assay_backend *backend = opened->backend;
  assay_error err;
  assay_code code = backend->supports(opened->device, program, &err);
  if (code == ASSAY_OK)
    code = backend->load(opened->device, program, &out_session->object, &out_session->loaded,
                         &out_session->report, &err);
  if (code != ASSAY_OK) {
    out_session->loaded = NULL;
    set_failure(&out_session->unloadable, code, &err);
  }
}

void assay_session_close(assay_session *session) {
  if (session->loaded != NULL)
    session->opened->backend->unload(session->loaded);
  free(session->object.bytes);
  *session = (assay_session){0};
}

static assay_code check_counters(const assay_counters *counters, assay_error *err) {
  const struct {
    const char *name;
    int64_t value;
  } all[] = {{"compiles", counters->compiles},     {"blas_calls", counters->blas_calls},
             {"launches", counters->launches},     {"heap allocations", counters->heap.allocations},
             {"heap bytes", counters->heap.bytes}, {"heap peak", counters->heap.peak}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].value < 0)
      return assay_fail(err, ASSAY_FAILED, "the backend counted %" PRId64 " %s: expected 0 or more",
                        all[i].value, all[i].name);
  return ASSAY_OK;
}

static assay_code run_once(const assay_session *session, assay_trial *it, int round,
                           assay_error *err) {
  enum { MAX_TENSORS = 64 };
  assay_buffer inputs[MAX_TENSORS], results[ASSAY_MAX_RESULTS];
  if (it->program->input_count > MAX_TENSORS || it->program->result_count > ASSAY_MAX_RESULTS)
    return assay_fail(err, ASSAY_FAILED, "a program of %d arguments and %d results",
                      it->program->input_count, it->program->result_count);
  for (int i = 0; i < it->program->input_count; i++)
    inputs[i] = it->inputs[i].buffer;
  for (int i = 0; i < it->program->result_count; i++) {
    assay_guarded_poison(&it->results[round][i], round);
    results[i] = it->results[round][i].buffer;
  }
  double start = assay_clock_now();
  TRY(session->opened->backend->run(session->loaded, inputs, results, &it->counters, err));
  double seconds = assay_clock_now() - start;
  TRY(check_counters(&it->counters, err));
  if (round == 0 || seconds < it->seconds)
    it->seconds = seconds;
  return ASSAY_OK;
}

static assay_code judge(const assay_trial *it, const assay_job *job, assay_outcome *outcome,
                        assay_judgement *out_judgement, assay_error *err) {
  *out_judgement = (assay_judgement){0};
  for (int i = 0; i < it->program->result_count; i++) {
    assay_expected expected;
    TRY(assay_reference_get(job->reference, job->data, i, &expected, err));
    if (expected.count == 0)
      return assay_fail(err, ASSAY_MISSING, "the reference holds no value of result %d", i);
    assay_judge_result(job->a_case->line, job->data, i, &expected, &it->results[0][i].buffer,
                       out_judgement);
    outcome->sampled |= expected.sampled;
  }
  outcome->compared = out_judgement->compared;
  outcome->exact = out_judgement->exact;
  outcome->margin = out_judgement->margin;
  if (out_judgement->margin > 0.5) {
    outcome->worst = out_judgement->worst;
    snprintf(outcome->part, sizeof outcome->part, "%s",
             out_judgement->worst.present ? out_judgement->worst.part : "");
    outcome->worst.part = NULL;
  }
  return ASSAY_OK;
}

static bool judged_wrong(const assay_judgement *judgement, size_t size, char reason[]) {
  if (judgement->margin <= 1)
    return false;
  snprintf(reason, size, "%s", judgement->reason);
  return true;
}

static bool find_fallback(const assay_session *session, const assay_counters *counters, size_t size,
                          char reason[]) {
  assay_contractions contractions = assay_program_contractions(session->program);
  if (session->report.contractions_named != contractions.all) {
    snprintf(reason, size, "named-op: %d of %d contractions were still there by name",
             session->report.contractions_named, contractions.all);
    return true;
  }
  if (counters->blas_calls != contractions.floating) {
    snprintf(reason, size, "named-op: %" PRId64 " of %d floating contractions were handed over",
             counters->blas_calls, contractions.floating);
    return true;
  }
  return false;
}

// Whether buffers travelled on the way of a program that is to stay on its device.
static bool find_travels(const assay_counters *counters, size_t size, char reason[]) {
  if (counters->travels == 0)
    return false;
  snprintf(reason, size,
           "resident: the program moved %" PRId64
           " buffers between host and device on its way; only its inputs and results should",
           counters->travels);
  return true;
}

static assay_code try_job(assay_session *session, const assay_job *job, assay_trial *it,
                          assay_outcome *outcome, assay_error *err) {
  assay_judgement judgement;
  TRY(assay_trial_make(session->program, job, it, err));
  for (int round = 0; round < ASSAY_TRIAL_ROUNDS; round++)
    TRY(run_once(session, it, round, err));
  outcome->seconds_run = session->opened->backend->simulated ? NAN : it->seconds;
  outcome->counters = it->counters;
  TRY(judge(it, job, outcome, &judgement, err));
  outcome->named = session->opened->backend->takes_contractions;
  outcome->resident = session->opened->backend->resident;
  if (assay_trial_misconduct(it, sizeof outcome->reason, outcome->reason) ||
      judged_wrong(&judgement, sizeof outcome->reason, outcome->reason) ||
      (outcome->named &&
       find_fallback(session, &it->counters, sizeof outcome->reason, outcome->reason)) ||
      (outcome->resident && find_travels(&it->counters, sizeof outcome->reason, outcome->reason)))
    outcome->verdict = ASSAY_FAIL;
  return outcome->verdict == ASSAY_PASS ? assay_examine_job(session, job, it, outcome, err)
                                        : ASSAY_OK;
}

static void tell_note(const assay_session *session, assay_outcome *outcome) {
  if (!session->told)
    memcpy(outcome->note, session->report.note, sizeof outcome->note);
}

void assay_session_execute(assay_session *session, const assay_job *job,
                           assay_outcome *out_outcome) {
  if (session->loaded == NULL) {
    *out_outcome = session->unloadable;
    tell_note(session, out_outcome);
    return;
  }
  assay_outcome_pass(out_outcome);
  assay_trial it = {.program = session->program};
  assay_error err;
  assay_code code = try_job(session, job, &it, out_outcome, &err);
  if (code != ASSAY_OK)
    set_failure(out_outcome, code, &err);
  assay_trial_destroy(&it);
  if (session->told)
    out_outcome->counters.compiles = 0;
  out_outcome->seconds_compile = session->told ? 0 : session->report.seconds_compile;
  tell_note(session, out_outcome);
  session->told = true;
}

// What the language answered to a negative case.
static void judge_rejection(const char *expected, assay_code code, const assay_error *err,
                            assay_outcome *outcome) {
  if (code == ASSAY_OK)
    assay_outcome_set(outcome, ASSAY_FAIL, "the tensor language accepted the program");
  else if (expected == NULL)
    assay_outcome_set(outcome, ASSAY_FAIL,
                      "rejected, and the case does not say how: add rejects=\"%s\"", err->text);
  else if (strcmp(err->text, expected) != 0)
    assay_outcome_set(outcome, ASSAY_FAIL, "rejected with '%s', want '%s'", err->text, expected);
  else
    assay_outcome_pass(outcome);
  outcome->diagnosed = true;
}

void assay_execute_build(const assay_job *job, assay_outcome *out_outcome) {
  assay_arena *arena = assay_arena_create();
  const assay_program *program;
  assay_error err = {0};
  assay_code code = assay_case_build(arena, job->a_case, &program, &err);
  if (job->a_case->op->rejected && (code == ASSAY_OK || code == ASSAY_INVALID))
    judge_rejection(job->a_case->rejects, code, &err, out_outcome);
  else
    set_error(out_outcome, ASSAY_ERROR, &err);
  assay_arena_destroy(arena);
}
