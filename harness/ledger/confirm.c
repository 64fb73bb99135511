// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/confirm.h"

#include <math.h>
#include <string.h>

// How often the pass is run again alone, and where a brief answer is asked for.
enum { ATTEMPTS = 3, BRIEF_ATTEMPTS = 1 };

// Margins beyond this are no matter of more samples.
static const double FAR = 1000;

typedef struct suspicion {
  assay_trial *trial;
  const assay_execution *execution;
  const assay_state *state; // that it left
} suspicion;

// What of a state's run the input shows too: what a pass makes the program show besides says
// nothing of how the rest came about.
static assay_observation in_common(const suspicion *it, int i, const assay_observation *seen) {
  const assay_observation *input = &it->trial->plain->outcomes[i].seen;
  assay_observed *kept = assay_arena_take(it->trial->arena, (size_t)seen->count + 1, sizeof *kept);
  int count = 0;
  for (int k = 0; k < seen->count; k++)
    if (assay_observed_find(input, &seen->items[k], k) != NULL)
      kept[count++] = seen->items[k];
  return (assay_observation){.count = count, .items = kept};
}

// Whether the program now reads memory that nobody wrote.
static assay_code reads_unwritten(const suspicion *it, bool *out_reads, assay_error *err) {
  assay_state poisoned = *it->state;
  const assay_run_wanted how = {.purpose = ASSAY_RUN_POISONED};
  TRY(assay_state_run(it->trial, &how, &poisoned, err));
  *out_reads = false;
  for (int i = 0; i < it->trial->entry.data_count; i++) {
    assay_comparison comparison;
    const assay_tail_answer *plain = it->state->answer;
    const assay_tail_outcome *other = &poisoned.answer->outcomes[2 * i], *moved = other + 1;
    if (plain->status != ASSAY_TAIL_RAN || poisoned.answer->status != ASSAY_TAIL_RAN ||
        plain->outcomes[i].status != ASSAY_TAIL_RAN || other->status != ASSAY_TAIL_RAN)
      continue;
    const assay_observation a = in_common(it, i, &plain->outcomes[i].seen);
    const assay_observation b = in_common(it, i, &other->seen);
    const assay_observation c = in_common(it, i, &moved->seen);
    assay_compare_memory(&a, &b, moved->status == ASSAY_TAIL_RAN ? &c : NULL, it->trial->arena,
                         &comparison);
    *out_reads |= !comparison.passed;
  }
  return ASSAY_OK;
}

// Whether some run of the state died, did not end or broke a rule, which shows no wrong value.
static bool is_stopped(const suspicion *it) {
  const assay_tail_answer *answer = it->state->answer;
  bool ran = answer != NULL && answer->status == ASSAY_TAIL_RAN;
  for (int i = 0; ran && i < it->trial->entry.data_count; i++)
    if (answer->outcomes[i].status != ASSAY_TAIL_RAN || answer->outcomes[i].violation[0] != '\0')
      return true;
  return false;
}

// Whether the other tail finds the state right. An optimiser may throw away an access that is out
// of bounds, for it is nobody's: what was stopped is run without.
static assay_code is_acquitted(const suspicion *it, bool *out_acquitted, assay_error *err) {
  assay_state other = *it->state;
  *out_acquitted = false;
  if (!it->trial->other_usable)
    return ASSAY_OK;
  other.tail = other.tail == ASSAY_TAIL_FIRST ? ASSAY_TAIL_SECOND : ASSAY_TAIL_FIRST;
  const assay_run_wanted how = {.purpose = ASSAY_RUN_PLAIN, .literal = is_stopped(it)};
  TRY(assay_state_run(it->trial, &how, &other, err));
  *out_acquitted = other.judged.ran && other.judged.right;
  return ASSAY_OK;
}

// The step of the tail that finds the state wrong from which on the other tail, which finds it
// right, finds it wrong too; NULL where there is none.
static assay_code find_suspect_step(const suspicion *it, const char **out_step, assay_error *err) {
  enum { MOST = 64 };
  assay_tail accuser = it->state->tail;
  assay_run_wanted wanted[MOST];
  const assay_tail_answer *answers[MOST];
  int count = 0;
  for (; count < MOST && assay_tail_step_name(accuser, count + 1) != NULL; count++)
    wanted[count] = (assay_run_wanted){.state = it->state->snapshot,
                                       .last_type = it->state->last_type,
                                       .tail = accuser == ASSAY_TAIL_FIRST ? ASSAY_TAIL_SECOND
                                                                           : ASSAY_TAIL_FIRST,
                                       .other_steps = count + 1};
  *out_step = NULL;
  TRY(assay_runs_take(it->trial->request, it->trial->arena, &it->trial->entry,
                      "looking for the step on which the tails part", wanted, count, answers, err));
  for (int i = 0; i < count && *out_step == NULL; i++) {
    assay_judgement judgement = assay_trial_judge(it->trial, answers[i]);
    if (judgement.ran && !judgement.right)
      *out_step = assay_tail_step_name(accuser, i + 1);
  }
  return ASSAY_OK;
}

static bool is_same(const assay_snapshot *a, const assay_snapshot *b) {
  return a != NULL && b != NULL && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// Whether two states that ran show different values.
static bool values_differ(const assay_trial *trial, const assay_state *a, const assay_state *b) {
  bool differ = false;
  for (int i = 0; a->judged.ran && b->judged.ran && i < trial->entry.data_count; i++) {
    assay_comparison comparison;
    if (a->answer->outcomes[i].status != ASSAY_TAIL_RAN ||
        b->answer->outcomes[i].status != ASSAY_TAIL_RAN)
      continue;
    assay_compare_exactly(&a->answer->outcomes[i].seen, &b->answer->outcomes[i].seen, &comparison);
    differ |= !comparison.passed;
  }
  return differ;
}

static int attempts_of(const suspicion *it) {
  return it->trial->request->brief ? BRIEF_ATTEMPTS : ATTEMPTS;
}

// How many of the attempts to do it again, alone, gave a wrong state (-1: it cannot be run alone),
// and whether the modules that they made show different values.
static assay_code count_repeats(const suspicion *it, int *out_wrong, bool *out_differ,
                                assay_error *err) {
  const assay_snapshot *again[ATTEMPTS];
  assay_state states[ATTEMPTS];
  assay_error reason;
  int attempts = attempts_of(it);
  *out_wrong = -1;
  *out_differ = false;
  assay_code code = assay_steps_again(it->trial->request, it->trial->arena, it->execution, attempts,
                                      again, &reason);
  if (code == ASSAY_UNSUPPORTED || code == ASSAY_INVALID)
    return ASSAY_OK;
  if (code != ASSAY_OK) {
    *err = reason;
    return code;
  }
  *out_wrong = 0;
  for (int i = 0; i < attempts; i++) {
    bool known = false, wrong = again[i] == NULL || is_same(again[i], it->state->snapshot);
    for (int k = 0; k < i && !known; k++)
      known = is_same(again[k], again[i]);
    states[i] = *it->state;
    states[i].judged.ran = wrong && again[i] != NULL && it->state->judged.ran;
    if (known)
      continue; // counted with the attempt that it equals
    states[i].snapshot = again[i];
    if (!wrong) {
      const assay_run_wanted how = {.purpose = ASSAY_RUN_PLAIN};
      TRY(assay_state_run(it->trial, &how, &states[i], err));
      wrong = states[i].judged.ran && !states[i].judged.right;
    }
    for (int k = i; k < attempts; k++)
      *out_wrong += (k == i || is_same(again[k], again[i])) && wrong;
    for (int k = 0; k < i; k++)
      *out_differ |= values_differ(it->trial, &states[k], &states[i]);
  }
  return ASSAY_OK;
}

// Whether more samples may explain what the state shows.
static bool is_near(const assay_trial *trial, const assay_state *state) {
  double largest = 0;
  for (int i = 0; i < ASSAY_DATA_SETS; i++)
    if (!isnan(state->judged.margin[i]))
      largest = fmax(largest, state->judged.margin[i]);
  return !trial->request->brief || largest < FAR;
}

static assay_confirmation dismiss(const suspicion *it, const char *why) {
  const char *note = assay_arena_format(it->trial->arena, "after %d %s: %s", it->execution->n,
                                        it->execution->name, why);
  assay_trial_note(it->trial, note);
  return (assay_confirmation){.fault = ASSAY_FAULT_NONE, .what = why};
}

assay_code assay_confirm(assay_trial *trial, const assay_states *states,
                         const assay_execution *execution, assay_confirmation *out_confirmation,
                         assay_error *err) {
  suspicion it = {
      .trial = trial, .execution = execution, .state = assay_states_find(states, execution->after)};
  if (trial->unsound != NULL) {
    const char *why = assay_trial_unsound(trial);
    *out_confirmation = dismiss(&it, why);
    trial->inconclusive = why;
    return ASSAY_OK;
  }
  if (is_near(trial, it.state))
    TRY(assay_trial_refine(trial, err));
  assay_judgement refined = assay_trial_judge(trial, it.state->answer);
  if (!refined.ran)
    refined = it.state->judged; // it is wrong without having run: the entry is gone
  if (refined.right) {
    *out_confirmation = dismiss(&it, "a difference that more samples explain");
    return ASSAY_OK;
  }
  bool unwritten, acquitted;
  TRY(reads_unwritten(&it, &unwritten, err));
  TRY(is_acquitted(&it, &acquitted, err));
  if (acquitted && !unwritten) {
    const char *step;
    TRY(find_suspect_step(&it, &step, err));
    *out_confirmation = dismiss(
        &it, assay_arena_format(trial->arena,
                                "the tails disagree, so nobody is accused: %s by one of them only; "
                                "suspect is its step %s",
                                refined.what, step != NULL ? step : "in LLVM"));
    return ASSAY_OK;
  }
  int wrong;
  bool differ;
  TRY(count_repeats(&it, &wrong, &differ, err));
  const char *what = refined.what;
  if (unwritten)
    what = assay_arena_format(trial->arena, "%s; the program reads memory that nobody wrote", what);
  if ((wrong >= 0 && wrong < attempts_of(&it)) || differ) {
    what = assay_arena_format(trial->arena,
                              "%s; run again alone on the same state, the pass %s "
                              "%d times of %d",
                              what, differ ? "gave other values and was wrong" : "did so", wrong,
                              attempts_of(&it));
    *out_confirmation = (assay_confirmation){ASSAY_FAULT_NONDETERMINISTIC, what};
    return ASSAY_OK;
  }
  *out_confirmation = (assay_confirmation){
      refined.imprecise && !unwritten ? ASSAY_FAULT_PRECISION_LOSS : ASSAY_FAULT_MISCOMPILE, what};
  return ASSAY_OK;
}
