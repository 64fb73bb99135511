// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/inquiry.h"

#include "compiler/base/clock.h"
#include "harness/isolate/isolate.h"
#include "harness/ledger/pass_rows.h"
#include "harness/ledger/print.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Addresses, not memory.
static const size_t SHARED_BYTES = (size_t)1 << 40;

typedef struct asked {
  const assay_inquiry *inquiry;
  _Atomic int64_t *pulse; // shared: the ledger gets on
  double started;
  bool answered;
} asked;

typedef struct inquest {
  const assay_ledger_request *request;
  const assay_inquiry_work *work;
  asked *tasks;
  int count, given;
} inquest;

static void *next(void *user) {
  inquest *it = user;
  if (it->given == it->count)
    return NULL;
  asked *task = &it->tasks[it->given++];
  task->started = assay_clock_now();
  return task;
}

static void get_on(void *user, const char *what, int done, int of) {
  (void)what;
  (void)done;
  (void)of;
  asked *task = user;
  atomic_fetch_add(task->pulse, 1);
}

static void note(assay_inquiry_answer *into, const assay_ledger_answer *from) {
  size_t used = 0;
  for (int i = 0; i < from->note_count && used < sizeof into->notes; i++)
    used += (size_t)snprintf(into->notes + used, sizeof into->notes - used, "%s%s",
                             i > 0 ? "; " : "", from->notes[i]);
}

static void count_rows(assay_inquiry_answer *into, const assay_ledger_answer *from) {
  bool ran[ASSAY_DATA_SETS] = {false};
  into->executions = from->row_count;
  for (int i = 0; i < from->row_count; i++) {
    const assay_ledger_row *row = &from->rows[i];
    if (!row->execution->changed)
      continue;
    into->changed++;
    into->changed_bits |= row->ran && row->bitwise_changed;
    if (!row->ran && into->not_run++ == 0)
      snprintf(into->not_run_reason, sizeof into->not_run_reason, "%d %s: %s", row->execution->n,
               row->execution->name, row->not_run);
    for (int k = 0; k < ASSAY_DATA_SETS && row->ran; k++) {
      ran[k] |= !isnan(row->margin[k]);
      into->margin[k] = fmax(into->margin[k], row->margin[k]); // a NAN gives way
    }
  }
  for (int k = 0; k < ASSAY_DATA_SETS; k++)
    into->judged += ran[k];
}

static void hand_over_passes(assay_inquiry_answer *into, assay_arena *arena,
                             const assay_ledger_answer *from) {
  size_t count;
  const assay_pass_row *rows = assay_ledger_pass_rows(arena, from, &count);
  for (size_t i = 0; i < count && i < ASSAY_INQUIRY_PASSES; i++) {
    assay_inquiry_pass *pass = &into->passes[into->pass_count++];
    pass->row = rows[i];
    pass->fault = from->rows[i].fault;
    snprintf(pass->name, sizeof pass->name, "%s", rows[i].name);
  }
}

assay_pass_row *assay_inquiry_pass_rows(assay_arena *arena, const assay_inquiry_answer *answer) {
  assay_pass_row *rows = assay_arena_take(arena, (size_t)answer->pass_count, sizeof *rows);
  for (int i = 0; i < answer->pass_count; i++) {
    const assay_inquiry_pass *pass = &answer->passes[i];
    rows[i] = pass->row;
    rows[i].name = assay_arena_string(arena, pass->name);
    rows[i].fault = pass->fault != ASSAY_FAULT_NONE ? assay_fault_name(pass->fault) : NULL;
  }
  return rows;
}

static void set_status(assay_inquiry_answer *into, const assay_ledger_answer *from) {
  int row = -1;
  const char *reason = "";
  if (from->blame.fault != ASSAY_FAULT_NONE) {
    into->status = ASSAY_INQUIRY_ACCUSED;
    row = from->blame.row;
    reason = from->blame.reason;
  } else if (from->failed_row >= 0) {
    into->status = ASSAY_INQUIRY_FAILED_PASS;
    row = from->failed_row;
    reason = from->failed_message;
  } else if (from->inconclusive != NULL) {
    into->status = ASSAY_INQUIRY_INCONCLUSIVE;
    reason = from->inconclusive;
  }
  into->fault = from->blame.fault;
  snprintf(into->reason, sizeof into->reason, "%s", reason);
  if (row >= 0) {
    into->n = from->rows[row].execution->n;
    snprintf(into->pass, sizeof into->pass, "%s", from->rows[row].execution->name);
    snprintf(into->step, sizeof into->step, "%s", from->blame.step != NULL ? from->blame.step : "");
    snprintf(into->pattern, sizeof into->pattern, "%s",
             from->blame.pattern != NULL ? from->blame.pattern : "");
  }
}

static assay_code inquire(const inquest *it, asked *task, assay_arena *arena,
                          assay_inquiry_answer *answer, assay_error *err) {
  assay_ledger_request request = *it->request;
  const char *word = assay_arena_format(arena, "--pass-pipeline=%s", task->inquiry->pipeline);
  const assay_ledger *ledger;
  const assay_ledger_answer *found;
  request.jobs = 1; // so many are running already
  request.file = task->inquiry->name;
  request.progress = get_on;
  request.progress_user = task;
  TRY(it->work->source(it->work->user, task->inquiry, arena, &request.source, err));
  request.size = strlen(request.source);
  TRY(assay_shared_create(SHARED_BYTES, &request.shared, err));
  TRY(assay_pass_pipeline_parse(request.context, 1, &word, &request.pipeline, err));
  TRY(assay_ledger_open(&request, arena, &ledger, err));
  TRY(assay_ledger_ask(ledger, NULL, &found, err));
  set_status(answer, found);
  count_rows(answer, found);
  hand_over_passes(answer, arena, found);
  note(answer, found);
  snprintf(answer->sentence, sizeof answer->sentence, "%s", assay_ledger_sentence(arena, found));
  if (answer->status == ASSAY_INQUIRY_ACCUSED && it->work->accused != NULL)
    TRY(it->work->accused(it->work->user, task->inquiry, &request, arena, found, err));
  return ASSAY_OK;
}

static assay_inquiry_answer blank(void) {
  assay_inquiry_answer answer = {.status = ASSAY_INQUIRY_CLEAN};
  for (int k = 0; k < ASSAY_DATA_SETS; k++)
    answer.margin[k] = NAN;
  return answer;
}

static void body(void *user, void *job, const assay_channel *channel) {
  inquest *it = user;
  asked *task = job;
  assay_arena *arena = assay_arena_create();
  assay_inquiry_answer answer = blank();
  assay_error err;
  if (inquire(it, task, arena, &answer, &err) != ASSAY_OK) {
    answer.status = ASSAY_INQUIRY_DIED;
    snprintf(answer.reason, sizeof answer.reason, "%.1000s", err.text);
  }
  answer.seconds = assay_clock_now() - task->started;
  assay_channel_send(channel, &answer);
}

static int64_t pulse(void *user, void *job) {
  (void)user;
  const asked *task = job;
  return *task->pulse;
}

static assay_code message(void *user, void *job, const void *bytes, assay_error *err) {
  const inquest *it = user;
  asked *task = job;
  assay_inquiry_answer answer;
  memcpy(&answer, bytes, sizeof answer);
  task->answered = true;
  return it->work->answered(it->work->user, task->inquiry, &answer, err);
}

static assay_code ended(void *user, void *job, assay_ending ending, const char *reason,
                        assay_error *err) {
  (void)ending;
  const inquest *it = user;
  asked *task = job;
  if (task->answered)
    return ASSAY_OK;
  assay_inquiry_answer answer = blank();
  answer.status = ASSAY_INQUIRY_DIED;
  answer.seconds = assay_clock_now() - task->started;
  snprintf(answer.reason, sizeof answer.reason, "%.1000s", reason);
  return it->work->answered(it->work->user, task->inquiry, &answer, err);
}

// A ledger gives a sign of life after each job of its own, which may take the time limit several
// times over: two data sets, a compilation, what is killed late.
static assay_code run(const assay_ledger_request *request, inquest *it, assay_error *err) {
  enum { SHARE = 8 };
  const assay_isolation isolation = {.parallel = request->jobs,
                                     .seconds = SHARE * request->timeout,
                                     .memory_bytes = 2 * request->memory_bytes,
                                     .message_size = sizeof(assay_inquiry_answer),
                                     .stop = request->stop};
  const assay_isolated_work work = {
      .user = it, .next = next, .body = body, .message = message, .pulse = pulse, .ended = ended};
  return assay_isolate(&isolation, &work, err);
}

assay_code assay_inquiries_make(const assay_ledger_request *request,
                                const assay_inquiry inquiries[], int count,
                                const assay_inquiry_work *work, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  assay_shared *shared = NULL;
  inquest it = {.request = request, .work = work, .count = count};
  it.tasks = assay_arena_take(arena, (size_t)count + 1, sizeof *it.tasks);
  assay_code code =
      assay_shared_create(((size_t)count + 1) * sizeof *it.tasks->pulse, &shared, err);
  _Atomic int64_t *pulses = NULL;
  if (code == ASSAY_OK) {
    pulses = assay_shared_take(shared, (size_t)count * sizeof *pulses);
    if (pulses == NULL)
      code = assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  }
  for (int i = 0; i < count && code == ASSAY_OK; i++)
    it.tasks[i] = (asked){.inquiry = &inquiries[i], .pulse = &pulses[i]};
  if (code == ASSAY_OK)
    code = run(request, &it, err);
  assay_shared_destroy(shared);
  assay_arena_destroy(arena);
  return code;
}
