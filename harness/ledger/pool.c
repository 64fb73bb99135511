// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/pool.h"

#include <assert.h>

typedef struct pool {
  const assay_ledger_request *request;
  assay_arena *arena;
  const char *doing;
  assay_job *const *jobs;
  int count, given, done;
} pool;

static void tell(const pool *it) {
  if (it->request->progress != NULL)
    it->request->progress(it->request->progress_user, it->doing, it->done, it->count);
}

static void *next(void *user) {
  pool *it = user;
  return it->given < it->count ? it->jobs[it->given++] : NULL;
}

static void body(void *user, void *task, const assay_channel *channel) {
  (void)user;
  (void)channel;
  const assay_job *job = task;
  job->body(job);
}

static int64_t pulse(void *user, void *task) {
  (void)user;
  const assay_job *job = task;
  return job->pulse != NULL ? *job->pulse : 0;
}

// Jobs say what they have to say in shared memory.
static assay_code message(void *user, void *task, const void *bytes, assay_error *err) {
  (void)user;
  (void)task;
  (void)bytes;
  (void)err;
  return ASSAY_OK;
}

static assay_code ended(void *user, void *task, assay_ending ending, const char *reason,
                        assay_error *err) {
  (void)err;
  pool *it = user;
  assay_job *job = task;
  job->ending = ending;
  job->reason = assay_arena_string(it->arena, reason);
  it->done++;
  tell(it);
  return ASSAY_OK;
}

bool assay_pool_is_stopped(const assay_ledger_request *request) {
  return request->stop != NULL && *request->stop != 0;
}

assay_code assay_pool_run(const assay_ledger_request *request, assay_arena *arena,
                          const char *doing, double seconds, assay_job *const jobs[], int count,
                          assay_error *err) {
  assert(request->jobs >= 1);
  pool it = {.request = request, .arena = arena, .doing = doing, .jobs = jobs, .count = count};
  const assay_isolation isolation = {.parallel = request->jobs,
                                     .seconds = seconds,
                                     .memory_bytes = request->memory_bytes,
                                     .message_size = 1,
                                     .stop = request->stop};
  const assay_isolated_work work = {
      .user = &it, .next = next, .body = body, .message = message, .pulse = pulse, .ended = ended};
  if (count > 0)
    tell(&it);
  return assay_isolate(&isolation, &work, err);
}
