// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/roundtrips.h"

// One child checks many states, for a check takes less time than a fork.
typedef struct batch {
  const assay_ledger_request *request;
  int count, from, step; // states from, from + step, ...
  const assay_snapshot *const *states;
  const char **errors; // shared: "" where a state parses back, NULL where it was not reached
  _Atomic int64_t *pulse;
} batch;

static void check_in_child(const assay_job *job) {
  batch *it = job->user;
  for (int i = it->from; i < it->count; i += it->step) {
    assay_error err;
    assay_code code = assay_snapshot_roundtrip(it->states[i], it->request->context, &err);
    it->errors[i] = assay_shared_string(it->request->shared, code == ASSAY_OK ? "" : err.text);
    ++*it->pulse;
  }
}

// The distinct states after changes that verify.
static int list_states(const assay_steps *steps, const assay_snapshot *states[]) {
  int count = 0;
  for (int i = 0; i < steps->count; i++) {
    const assay_execution *execution = steps->executions[i];
    bool known = !execution->changed || !execution->verifies || execution->depth > 0;
    for (int k = 0; k < count && !known; k++)
      known = states[k] == execution->after;
    if (!known)
      states[count++] = execution->after;
  }
  return count;
}

static void fill_rows(const assay_steps *steps, int count, const assay_snapshot *const states[],
                      const char *const errors[], assay_ledger_row rows[]) {
  for (int i = 0; i < steps->count; i++)
    for (int k = 0; k < count; k++)
      if (states[k] == steps->executions[i]->after && errors[k] != NULL) {
        rows[i].roundtrips = errors[k][0] == '\0';
        rows[i].parse_error = errors[k];
      }
}

assay_code assay_roundtrips_check(const assay_ledger_request *request, assay_arena *arena,
                                  const assay_steps *steps, assay_ledger_row rows[],
                                  assay_error *err) {
  const assay_snapshot **states =
      assay_arena_take(arena, (size_t)steps->count + 1, sizeof(assay_snapshot *));
  int count = list_states(steps, states);
  int children = count < request->jobs ? count : request->jobs;
  if (count == 0)
    return ASSAY_OK;
  const char **errors = assay_shared_take(request->shared, (size_t)count * sizeof *errors);
  _Atomic int64_t *pulse = assay_shared_take(request->shared, sizeof *pulse);
  if (errors == NULL || pulse == NULL)
    return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  batch *batches = assay_arena_take(arena, (size_t)children, sizeof *batches);
  assay_job *jobs = assay_arena_take(arena, (size_t)children, sizeof *jobs);
  assay_job **order = assay_arena_take(arena, (size_t)children, sizeof(assay_job *));
  for (int i = 0; i < children; i++) {
    batches[i] = (batch){.request = request,
                         .count = count,
                         .from = i,
                         .step = children,
                         .states = states,
                         .errors = errors,
                         .pulse = pulse};
    jobs[i] = (assay_job){.body = check_in_child, .user = &batches[i], .pulse = pulse};
    order[i] = &jobs[i];
  }
  TRY(assay_pool_run(request, arena, "printing and reading states", request->timeout, order,
                     children, err));
  fill_rows(steps, count, states, errors, rows);
  return ASSAY_OK;
}
