// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/probe.h"
#include "compiler/base/clock.h"

#include "harness/ledger/findings.h"
#include "harness/ledger/roundtrips.h"

#include <string.h>

// How often a pass that differs from run to run is tried, and for how long a question may go on.
enum { ATTEMPTS = 3 };
static const double MOST_SECONDS = 30;

static void learn(assay_probing *it, uint64_t hash, assay_showing shows) {
  if (it->known_count < (int)(sizeof it->known / sizeof it->known[0])) {
    it->known[it->known_count].hash = hash;
    it->known[it->known_count++].shows = shows;
  }
}

static bool is_known(const assay_probing *it, uint64_t hash, assay_showing *out_shows) {
  for (int i = 0; i < it->known_count; i++)
    if (it->known[i].hash == hash) {
      *out_shows = it->known[i].shows;
      return true;
    }
  return false;
}

assay_probing assay_probing_begin(const assay_below_question *question) {
  assay_probing made = {
      .question = question, .left = ASSAY_PROBES, .until = assay_clock_now() + MOST_SECONDS};
  const assay_execution *execution = question->execution;
  if (!assay_fault_is_of_values(question->fault))
    return made;
  learn(&made, execution->after->hash, ASSAY_SHOWS_FAULT);
  const assay_state *before = assay_states_find(question->states, execution->before);
  if (execution->before == question->trial->input ||
      (before != NULL && before->judged.ran && before->judged.right))
    learn(&made, execution->before->hash, ASSAY_SHOWS_RIGHT);
  return made;
}

bool assay_probing_may(const assay_probing *probing, int count) {
  return count <= probing->left && assay_clock_now() < probing->until &&
         !assay_pool_is_stopped(probing->question->request);
}

static assay_showing show(bool fault) {
  return fault ? ASSAY_SHOWS_FAULT : ASSAY_SHOWS_RIGHT;
}

// Of a run that did not come to its end.
static assay_showing judge_death(const assay_below_question *question, const assay_pass_run *run) {
  bool same = (question->fault == ASSAY_FAULT_CRASH && run->ending == ASSAY_ENDED_DEAD) ||
              (question->fault == ASSAY_FAULT_TIMEOUT && run->ending == ASSAY_ENDED_LATE);
  return same ? ASSAY_SHOWS_FAULT : ASSAY_SHOWS_NOTHING;
}

static assay_showing judge_verifier(const assay_execution *accused, const assay_execution *last) {
  if (last->verifies)
    return ASSAY_SHOWS_RIGHT;
  bool same = assay_below_same_message(accused->verifier_message, last->verifier_message);
  return same ? ASSAY_SHOWS_FAULT : ASSAY_SHOWS_NOTHING;
}

static assay_showing judge_nans(const assay_below_question *question, const assay_execution *last) {
  const assay_new_nan *of = assay_findings_nan(question->request, question->execution, NULL);
  return of == NULL ? ASSAY_SHOWS_NOTHING
                    : show(assay_findings_nan(question->request, last, of->op) != NULL);
}

// What can be said of a run by itself. False: its state must be looked at.
static bool judge_run(const assay_below_question *question, const assay_pass_run *run,
                      assay_showing *out_shows) {
  const assay_execution *last = run->last;
  *out_shows = ASSAY_SHOWS_NOTHING;
  if (last == NULL)
    *out_shows = judge_death(question, run);
  else if (last->failed)
    *out_shows = ASSAY_SHOWS_NOTHING;
  else if (question->fault == ASSAY_FAULT_CRASH || question->fault == ASSAY_FAULT_TIMEOUT)
    *out_shows = ASSAY_SHOWS_RIGHT;
  else if (question->fault == ASSAY_FAULT_INVALID_IR)
    *out_shows = judge_verifier(question->execution, last);
  else if (question->fault == ASSAY_FAULT_NAN_ATTRIBUTE)
    *out_shows = judge_nans(question, last);
  else if (question->fault == ASSAY_FAULT_UNLOWERED)
    *out_shows = show(assay_findings_count(last->after, question->left) > 0);
  else
    return !last->verifies;
  return true;
}

// Which of the states parse back.
static assay_code judge_texts(const assay_below_question *question,
                              const assay_execution *const executions[], int count,
                              assay_showing shows[], assay_error *err) {
  const assay_execution **order =
      assay_arena_take(question->arena, (size_t)count, sizeof(assay_execution *));
  assay_ledger_row *rows = assay_arena_take(question->arena, (size_t)count, sizeof *rows);
  for (int i = 0; i < count; i++) {
    order[i] = executions[i];
    rows[i] = (assay_ledger_row){.execution = executions[i], .roundtrips = true};
  }
  const assay_steps steps = {.count = count, .executions = order};
  TRY(assay_roundtrips_check(question->request, question->arena, &steps, rows, err));
  for (int i = 0; i < count; i++)
    shows[i] = show(!rows[i].roundtrips);
  return ASSAY_OK;
}

static assay_code judge_values(const assay_below_question *question,
                               const assay_execution *const executions[], int count,
                               assay_showing shows[], assay_error *err) {
  const assay_snapshot **snapshots =
      assay_arena_take(question->arena, (size_t)count, sizeof(assay_snapshot *));
  assay_judgement *judged = assay_arena_take(question->arena, (size_t)count, sizeof *judged);
  for (int i = 0; i < count; i++)
    snapshots[i] = executions[i]->after;
  TRY(assay_states_judge(question->trial, question->states, question->execution, snapshots, count,
                         judged, err));
  // What is wrong where the pass's own state is right is half of something that the pass mends.
  const assay_state *accused = assay_states_find(question->states, question->execution->after);
  uint64_t wrong =
      accused != NULL && accused->judged.wrong != 0 ? accused->judged.wrong : UINT64_MAX;
  for (int i = 0; i < count; i++)
    shows[i] = !judged[i].ran || (judged[i].wrong & ~wrong) != 0 ? ASSAY_SHOWS_NOTHING
                                                                 : show(!judged[i].right);
  return ASSAY_OK;
}

// Each distinct state once.
static assay_code judge_states(assay_probing *it, const assay_pass_run runs[], int count,
                               assay_showing shows[], assay_error *err) {
  const assay_below_question *question = it->question;
  const assay_execution **unknown =
      assay_arena_take(question->arena, (size_t)count + 1, sizeof(assay_execution *));
  assay_showing *found = assay_arena_take(question->arena, (size_t)count + 1, sizeof *found);
  bool *waits = assay_arena_take(question->arena, (size_t)count, sizeof *waits);
  int unknown_count = 0;
  for (int i = 0; i < count; i++) {
    waits[i] = !judge_run(question, &runs[i], &shows[i]) &&
               !is_known(it, runs[i].last->after->hash, &shows[i]);
    if (!waits[i])
      continue;
    bool listed = false;
    for (int k = 0; k < unknown_count; k++)
      listed |= unknown[k]->after->hash == runs[i].last->after->hash;
    if (!listed)
      unknown[unknown_count++] = runs[i].last;
  }
  if (unknown_count == 0)
    return ASSAY_OK;
  if (question->fault == ASSAY_FAULT_UNPARSABLE_IR)
    TRY(judge_texts(question, unknown, unknown_count, found, err));
  else
    TRY(judge_values(question, unknown, unknown_count, found, err));
  for (int k = 0; k < unknown_count; k++)
    learn(it, unknown[k]->after->hash, found[k]);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < unknown_count; k++)
      if (waits[i] && unknown[k]->after->hash == runs[i].last->after->hash)
        shows[i] = found[k];
  return ASSAY_OK;
}

// A pass that differs from run to run shows its fault where it does so once, and is right where it
// always is.
static assay_showing together(const assay_showing shows[], int count) {
  assay_showing all = shows[0];
  for (int i = 1; i < count; i++)
    if (shows[i] == ASSAY_SHOWS_FAULT || all == ASSAY_SHOWS_FAULT)
      all = ASSAY_SHOWS_FAULT;
    else if (shows[i] == ASSAY_SHOWS_NOTHING)
      all = ASSAY_SHOWS_NOTHING;
  return all;
}

assay_code assay_probing_take(assay_probing *probing, assay_probe probes[], int count,
                              assay_error *err) {
  const assay_below_question *question = probing->question;
  int each = question->fault == ASSAY_FAULT_NONDETERMINISTIC ? ATTEMPTS : 1;
  int all = count * each;
  assay_pass_run *runs = assay_arena_take(question->arena, (size_t)all, sizeof *runs);
  assay_showing *shows = assay_arena_take(question->arena, (size_t)all, sizeof *shows);
  for (int i = 0; i < all; i++)
    runs[i] = (assay_pass_run){.disorder = i % each, .within = &probes[i / each].within};
  probing->left -= count;
  TRY(assay_steps_alone(question->request, question->arena, question->execution,
                        "looking inside the pass", runs, all, err));
  TRY(judge_states(probing, runs, all, shows, err));
  for (int i = 0; i < count; i++) {
    probes[i].shows = together(&shows[i * each], each);
    probes[i].inside = &runs[i * each].stepping->inside;
  }
  return ASSAY_OK;
}
