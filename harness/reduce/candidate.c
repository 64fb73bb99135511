// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/candidate.h"

#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/base/clock.h"
#include "harness/isolate/isolate.h"
#include "harness/ledger/pool.h"
#include "harness/ledger/print.h"
#include "harness/ledger/printed.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// Addresses, not memory.
static const size_t SHARED_BYTES = (size_t)1 << 38;

// One candidate, in the child and seen from the parent.
typedef struct trying {
  const assay_question *question;
  const assay_candidate *candidate;
  assay_tried *tried;     // the parent's
  _Atomic int64_t *pulse; // shared: the ledger gets on
  bool answered;
} trying;

typedef struct trials {
  const assay_question *question;
  trying *tasks;
  int count, given;
  bool all;
  int shown;                  // -1
  volatile sig_atomic_t stop; // one of them shows it, or the user has had enough
} trials;

static bool is_known(const assay_question *question, uint64_t hash) {
  for (int i = 0; i < question->hash_count; i++)
    if (question->hashes[i] == hash)
      return true;
  return false;
}

// A module that parses and verifies; NULL where it does not.
static MlirModule read_module(MlirContext context, const char *text) {
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assay_diagnostics_close(&diagnostics);
  return module;
}

static bool verifies(MlirModule module) {
  MlirOperation top = mlirModuleGetOperation(module);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlirOperationGetContext(top));
  bool valid = mlirOperationVerify(top);
  assay_diagnostics_close(&diagnostics);
  return valid;
}

// The text that the ledger is asked about: one that can be read again.
static const char *text_of(MlirModule module, assay_arena *arena) {
  MlirContext context = mlirModuleGetContext(module);
  for (int generic = 0; generic < 2; generic++) {
    const char *text = assay_module_text(module, generic == 1, arena);
    MlirModule again = read_module(context, text);
    if (mlirModuleIsNull(again))
      continue;
    mlirModuleDestroy(again);
    return text;
  }
  return NULL;
}

// The text that a cut leaves; NULL with its status where there is nothing to ask about.
static const char *cut(const trying *it, MlirModule module, assay_arena *arena,
                       assay_tried *tried) {
  const assay_question *question = it->question;
  const assay_candidate *candidate = it->candidate;
  tried->status = ASSAY_CANDIDATE_UNCHANGED;
  if (!assay_cut_apply(module, question->entry, candidate->cut, candidate->from, candidate->to))
    return NULL;
  tried->status = ASSAY_CANDIDATE_UNREAD;
  const char *text = verifies(module) ? text_of(module, arena) : NULL;
  if (text == NULL)
    return NULL;
  tried->hash = assay_hash_string(text);
  tried->status = ASSAY_CANDIDATE_UNCHANGED;
  bool larger = assay_module_size(module) > question->size;
  return larger || is_known(question, tried->hash) ? NULL : text;
}

// The candidate's module as text; NULL with its status where there is nothing to ask about.
static const char *make(const trying *it, assay_arena *arena, assay_tried *tried) {
  const assay_candidate *candidate = it->candidate;
  const char *text = candidate->text != NULL ? candidate->text : it->question->text;
  MlirModule module = read_module(it->question->ledger->context, text);
  if (mlirModuleIsNull(module))
    return text; // the ledger says why
  bool is_cut = candidate->text == NULL && candidate->cut < ASSAY_CUT_COUNT;
  if (is_cut)
    text = cut(it, module, arena, tried);
  else
    tried->hash = assay_hash_string(text);
  tried->size = assay_module_size(module);
  return text;
}

static void get_on(void *user, const char *what, int done, int of) {
  (void)what;
  (void)done;
  (void)of;
  const trying *it = user;
  atomic_fetch_add(it->pulse, 1);
}

// Arguments that were handed in are for an entry that still takes them.
static void fit_inputs(const assay_question *question, const assay_ledger *ledger,
                       assay_ledger_request *request, assay_tried *tried) {
  const char *type = assay_ledger_entry_type(ledger, question->entry);
  snprintf(tried->type, sizeof tried->type, "%s", type != NULL ? type : "");
  bool fits = question->input_type == NULL || strcmp(tried->type, question->input_type) == 0;
  tried->given = request->inputs != NULL && fits;
  if (request->inputs == NULL || fits)
    return;
  request->inputs = NULL;
  request->input_count = 0;
  for (int i = 0; i < ASSAY_DATA_SETS; i++)
    request->data[i] = true;
}

static bool is_of_values(const assay_symptom *symptom) {
  return symptom != NULL &&
         (symptom->fault == ASSAY_FAULT_MISCOMPILE || symptom->fault == ASSAY_FAULT_PRECISION_LOSS);
}

static assay_code ask(trying *it, const char *text, assay_arena *arena, assay_tried *tried,
                      assay_error *err) {
  const assay_question *question = it->question;
  assay_ledger_request request = *question->ledger;
  const char *word = assay_arena_format(arena, "--pass-pipeline=%s", question->pipeline);
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  request.source = text;
  request.size = strlen(text);
  request.whole_passes = true;
  request.brief = question->brief;
  request.jobs = 1; // so many are running already
  request.expected = NULL;
  request.progress = get_on;
  request.progress_user = it;
  TRY(assay_shared_create(SHARED_BYTES, &request.shared, err));
  TRY(assay_pass_pipeline_parse(request.context, 1, &word, &request.pipeline, err));
  TRY(assay_ledger_open(&request, arena, &ledger, err));
  fit_inputs(question, ledger, &request, tried);
  bool differs = true;
  if (is_of_values(question->symptom))
    TRY(assay_ledger_differs(ledger, question->entry, &differs, err));
  if (!differs) {
    snprintf(tried->sentence, sizeof tried->sentence, "no bad pass");
    tried->status = ASSAY_CANDIDATE_DULL;
    return ASSAY_OK;
  }
  // Few candidates come this far, and the search waits for the first.
  request.jobs = question->ledger->jobs;
  TRY(assay_ledger_ask(ledger, question->entry, &answer, err));
  tried->symptom = assay_symptom_of(answer);
  snprintf(tried->sentence, sizeof tried->sentence, "%s", assay_ledger_sentence(arena, answer));
  tried->status = ASSAY_CANDIDATE_DULL;
  return ASSAY_OK;
}

// What shows it is kept where the parent can read it.
static void keep(const assay_question *question, const char *text, assay_tried *tried) {
  bool shows = question->symptom == NULL
                   ? tried->symptom.fault != ASSAY_FAULT_NONE
                   : assay_symptoms_agree(question->symptom, &tried->symptom, question->message);
  if (!shows)
    return;
  tried->text = assay_shared_string(question->ledger->shared, text);
  if (tried->text != NULL)
    tried->status = ASSAY_CANDIDATE_SHOWS;
}

static void fail(assay_code code, const assay_error *err, assay_tried *tried) {
  tried->status = code == ASSAY_INVALID ? ASSAY_CANDIDATE_UNREAD : ASSAY_CANDIDATE_DIED;
  snprintf(tried->reason, sizeof tried->reason, "%.200s%s%.800s", err->where,
           err->where[0] != '\0' ? ": error: " : "", err->text);
}

static void body(void *user, void *job, const assay_channel *channel) {
  (void)user;
  trying *it = job;
  assay_arena *arena = assay_arena_create();
  assay_tried tried = {0};
  assay_error err;
  const char *text = make(it, arena, &tried);
  if (text != NULL) {
    assay_code code = ask(it, text, arena, &tried, &err);
    if (code == ASSAY_OK)
      keep(it->question, text, &tried);
    else
      fail(code, &err, &tried);
  }
  assay_channel_send(channel, &tried);
}

static void *next(void *user) {
  trials *it = user;
  return it->given < it->count ? &it->tasks[it->given++] : NULL;
}

// Looked at all the time: the place where a stop of the whole, or the end of the time, becomes one
// of these children.
static int64_t pulse(void *user, void *job) {
  trials *it = user;
  const trying *task = job;
  double deadline = it->question->deadline;
  if (assay_pool_is_stopped(it->question->ledger) || (deadline > 0 && assay_clock_now() > deadline))
    it->stop = 1;
  return *task->pulse;
}

static assay_code message(void *user, void *job, const void *bytes, assay_error *err) {
  (void)err;
  trials *it = user;
  trying *task = job;
  memcpy(task->tried, bytes, sizeof *task->tried);
  task->answered = true;
  if (task->tried->status == ASSAY_CANDIDATE_SHOWS && !it->all) {
    it->shown = (int)(task - it->tasks);
    it->stop = 1;
  }
  return ASSAY_OK;
}

static assay_code ended(void *user, void *job, assay_ending ending, const char *reason,
                        assay_error *err) {
  (void)user;
  (void)ending;
  (void)err;
  const trying *task = job;
  if (!task->answered) {
    task->tried->status = ASSAY_CANDIDATE_DIED;
    snprintf(task->tried->reason, sizeof task->tried->reason, "%s", reason);
  }
  return ASSAY_OK;
}

// A ledger gives a sign of life after each job of its own, which may take the time limit several
// times over.
static assay_code run(const assay_question *question, trials *it, assay_error *err) {
  enum { SHARE = 8 };
  const assay_isolation isolation = {.parallel = question->ledger->jobs,
                                     .seconds = SHARE * question->ledger->timeout,
                                     .memory_bytes = 2 * question->ledger->memory_bytes,
                                     .message_size = sizeof(assay_tried),
                                     .stop = &it->stop};
  const assay_isolated_work work = {
      .user = it, .next = next, .body = body, .message = message, .pulse = pulse, .ended = ended};
  return assay_isolate(&isolation, &work, err);
}

assay_code assay_candidates_try(const assay_question *question, const assay_candidate candidates[],
                                int count, bool all, assay_tried tried[], int *out_shown,
                                assay_error *err) {
  assay_arena *arena = assay_arena_create();
  trials it = {.question = question, .count = count, .all = all, .shown = -1};
  it.tasks = assay_arena_take(arena, (size_t)count + 1, sizeof *it.tasks);
  assay_code code = ASSAY_OK;
  for (int i = 0; i < count && code == ASSAY_OK; i++) {
    tried[i] = (assay_tried){0};
    it.tasks[i] = (trying){.question = question,
                           .candidate = &candidates[i],
                           .tried = &tried[i],
                           .pulse = assay_shared_take(question->ledger->shared, sizeof(int64_t))};
    if (it.tasks[i].pulse == NULL)
      code = assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  }
  if (code == ASSAY_OK && !assay_pool_is_stopped(question->ledger))
    code = run(question, &it, err);
  *out_shown = it.shown;
  assay_arena_destroy(arena);
  return code;
}
