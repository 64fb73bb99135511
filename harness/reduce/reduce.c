// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/reduce.h"

#include "compiler/base/clock.h"
#include "harness/ledger/pool.h"
#include "harness/reduce/search.h"
#include "harness/reduce/tool.h"
#include "harness/reduce/warm.h"

#include <math.h>
#include <string.h>

// How often the fault must show on the module as it is.
enum { RUNS = 5 };

// A pass that does not end takes every candidate's whole limit: candidates get this much less of
// it, and only the last one is asked about with all of it.
static const double SECONDS_OF_A_LOOP = 2;

static assay_question question_of(const assay_reduction_request *request,
                                  const assay_ledger_request *ledger) {
  return (assay_question){.ledger = ledger,
                          .pipeline = request->pipeline,
                          .entry = request->entry[0] != '\0' ? request->entry : NULL,
                          .message = request->message,
                          .text = request->text,
                          .size = INT32_MAX};
}

static bool is_asked_for(const assay_reduction_request *request, const assay_tried *tried) {
  return tried->status == ASSAY_CANDIDATE_SHOWS &&
         (request->pass == NULL || (strcmp(tried->symptom.pass, request->pass) == 0 &&
                                    tried->symptom.fault == request->fault));
}

// Why the module, asked about several times, shows no fault to reduce; NULL where it does each
// time.
static const char *find_fault(const assay_reduction_request *request, assay_arena *arena,
                              const assay_tried tried[RUNS]) {
  int first = -1, shows = 0;
  for (int i = 0; i < RUNS; i++)
    if (is_asked_for(request, &tried[i])) {
      first = first < 0 ? i : first;
      shows += assay_symptoms_agree(&tried[first].symptom, &tried[i].symptom, NULL);
    }
  bool fickle = false;
  for (int i = 0; i < RUNS; i++)
    fickle |= tried[i].symptom.fault == ASSAY_FAULT_NONDETERMINISTIC &&
              (request->pass == NULL || strcmp(tried[i].symptom.pass, request->pass) == 0);
  if (shows == 0 && fickle)
    return assay_arena_format(arena, "the fault is flaky, the pass differs from run to run: %s",
                              tried[0].sentence);
  if (shows == 0)
    return assay_arena_format(arena, ASSAY_REDUCE_UNSEEN "%s",
                              tried[0].sentence[0] != '\0' ? tried[0].sentence : tried[0].reason);
  if (shows < RUNS || tried[first].symptom.fault == ASSAY_FAULT_NONDETERMINISTIC)
    return assay_arena_format(arena, "the fault is flaky, it shows in %d of %d runs: %s", shows,
                              RUNS, tried[first].sentence);
  if (request->message != NULL && strstr(tried[first].symptom.reason, request->message) == NULL)
    return assay_arena_format(arena, "the reason does not hold \"%s\": %s", request->message,
                              tried[first].symptom.reason);
  return NULL;
}

// Asks about the module as it is: once, and several times more at once. Where it shows the fault
// the others need only tell whether they do.
static assay_code ask_first(const assay_reduction_request *request, const assay_question *question,
                            assay_arena *arena, assay_tried *out_first, assay_reduction *reduction,
                            assay_error *err) {
  assay_candidate candidates[RUNS];
  assay_tried tried[RUNS] = {{0}};
  int shown;
  for (int i = 0; i < RUNS; i++)
    candidates[i] = (assay_candidate){.cut = ASSAY_CUT_COUNT};
  assay_question again = *question;
  TRY(assay_candidates_try(question, candidates, 1, true, tried, &shown, err));
  again.symptom = is_asked_for(request, &tried[0]) ? &tried[0].symptom : NULL;
  again.brief = again.symptom != NULL;
  again.message = NULL; // that is asked of the reason afterwards
  if (tried[0].status != ASSAY_CANDIDATE_UNREAD)
    TRY(assay_candidates_try(&again, candidates, RUNS - 1, true, &tried[1], &shown, err));
  *out_first = tried[0];
  if (assay_pool_is_stopped(request->ledger)) {
    reduction->stopped = true;
    reduction->nothing = "stopped before anything was known";
    return ASSAY_OK;
  }
  if (tried[0].status == ASSAY_CANDIDATE_UNREAD)
    return assay_fail(err, ASSAY_INVALID,
                      "invalid before the pass, and reduction starts from a valid module: %s",
                      tried[0].reason);
  reduction->nothing = find_fault(request, arena, tried);
  return ASSAY_OK;
}

// Candidates need not wait as long as the module itself may: what takes many times as long shows
// another fault. seconds: of the first runs, some of them brief.
static double limit_of(const assay_reduction_request *request, assay_fault fault, double seconds) {
  const double least = 1, times = 2;
  double limit = fault == ASSAY_FAULT_TIMEOUT
                     ? SECONDS_OF_A_LOOP
                     : least + times * seconds * request->ledger->jobs / RUNS;
  return limit < request->ledger->timeout ? limit : request->ledger->timeout;
}

// The smallest once more, with the full limits and all that confirms an accusation: the search took
// less of both.
static assay_code ask_last(assay_search *search, const assay_ledger_request *ledger,
                           assay_error *err) {
  const assay_candidate candidate = {.cut = ASSAY_CUT_COUNT};
  assay_tried tried;
  int shown;
  search->question.ledger = ledger;
  search->question.deadline = 0;
  search->question.brief = false;
  if (search->found->shown == 0 || assay_pool_is_stopped(ledger))
    return ASSAY_OK;
  TRY(assay_candidates_try(&search->question, &candidate, 1, false, &tried, &shown, err));
  if (shown < 0 && !assay_pool_is_stopped(ledger))
    search->found->nothing = assay_arena_format(
        search->arena, "the fault is flaky, the smallest module does not show it again: %s",
        tried.sentence[0] != '\0' ? tried.sentence : tried.reason);
  return ASSAY_OK;
}

assay_code assay_reduce(const assay_reduction_request *request, assay_arena *arena,
                        assay_reduction *out_reduction, assay_error *err) {
  double started = assay_clock_now();
  assay_ledger_request whole = *request->ledger, brief;
  assay_tried first;
  *out_reduction = (assay_reduction){.tool = "", .sentence = "", .text = request->text};
  whole.without_runs = request->pass != NULL && !assay_fault_needs_runs(request->fault);
  assay_question question = question_of(request, &whole);
  if (!whole.without_runs)
    assay_reduce_warm(request->ledger);
  TRY(ask_first(request, &question, arena, &first, out_reduction, err));
  double seconds = assay_clock_now() - started;
  out_reduction->seconds = seconds;
  if (out_reduction->nothing != NULL)
    return ASSAY_OK;
  whole.without_runs = !assay_fault_needs_runs(first.symptom.fault);
  brief = whole;
  brief.timeout = limit_of(request, first.symptom.fault, seconds);
  // A ledger makes some hundred runs: one that takes half as long as all is endless.
  brief.run_timeout = fmax(0.25, seconds * request->ledger->jobs / RUNS / 2);
  question.ledger = &brief;
  question.brief = true;
  question.symptom = &first.symptom;
  if (whole.without_runs)
    question.entry = NULL;
  question.deadline = request->seconds > 0 ? started + request->seconds : 0;
  question.input_type = first.type;
  assay_search search = {.request = request,
                         .arena = arena,
                         .question = question,
                         .found = out_reduction,
                         .started = started};
  out_reduction->size_before = first.size;
  first.text = request->text;
  TRY(assay_search_accept(&search, &first, err));
  TRY(assay_search_run(&search, err));
  TRY(assay_tool_run(&search, err));
  TRY(ask_last(&search, &whole, err));
  out_reduction->seconds = assay_clock_now() - started;
  return ASSAY_OK;
}

assay_code assay_reduction_check(const assay_reduction_request *request,
                                 const assay_symptom *symptom, assay_arena *arena, bool *out_shows,
                                 assay_error *err) {
  (void)arena;
  assay_ledger_request ledger = *request->ledger;
  ledger.without_runs = !assay_fault_needs_runs(symptom->fault);
  assay_question question = question_of(request, &ledger);
  const assay_candidate candidate = {.cut = ASSAY_CUT_COUNT};
  assay_tried tried;
  int shown;
  question.symptom = symptom;
  TRY(assay_candidates_try(&question, &candidate, 1, false, &tried, &shown, err));
  *out_shows = shown == 0;
  if (tried.status == ASSAY_CANDIDATE_UNREAD)
    return assay_fail(err, ASSAY_INVALID, "%s", tried.reason);
  return ASSAY_OK;
}
