// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/states.h"

#include <string.h>

static const assay_function_state *find_function(const assay_snapshot *snapshot, const char *name) {
  for (int i = 0; i < snapshot->function_count; i++)
    if (strcmp(snapshot->functions[i].name, name) == 0)
      return &snapshot->functions[i];
  return NULL;
}

const assay_state *assay_states_find(const assay_states *states, const assay_snapshot *snapshot) {
  for (int i = 0; i < states->count; i++)
    if (states->items[i].snapshot == snapshot)
      return &states->items[i];
  return NULL;
}

// Walks through the executions and keeps the entry's type as it is now.
typedef struct collector {
  const assay_trial *trial;
  assay_states *states;
  const char *type;
  bool is_public;
} collector;

static void pass_by(collector *it, const assay_snapshot *snapshot, bool wanted) {
  const assay_function_state *function = find_function(snapshot, it->trial->entry.name);
  if (function != NULL && function->kind == ASSAY_FUNCTION_FUNC)
    it->type = function->type;
  if (function != NULL)
    it->is_public = function->is_public;
  if (!wanted || snapshot == it->trial->input || assay_states_find(it->states, snapshot) != NULL)
    return;
  it->states->items[it->states->count++] =
      (assay_state){.snapshot = snapshot,
                    .reach = assay_snapshot_reach(snapshot, it->trial->entry.name),
                    .last_type = it->type,
                    .was_public = it->is_public,
                    .tail = it->trial->tail};
}

static void collect(const assay_trial *trial, const assay_steps *steps, assay_states *states) {
  collector it = {.trial = trial, .states = states, .type = trial->entry.input_type};
  states->items =
      assay_arena_take(trial->arena, 2 * (size_t)steps->count + 1, sizeof *states->items);
  for (int i = 0; i < steps->count; i++) {
    const assay_execution *execution = steps->executions[i];
    bool dead = steps->died && i == steps->count - 1;
    pass_by(&it, execution->before, execution->depth > 0);
    pass_by(&it, execution->after, !dead && !execution->failed && execution->verifies);
  }
}

// A function of another dialect may be what the entry has become.
static bool may_be_elsewhere(const assay_snapshot *snapshot) {
  for (int i = 0; i < snapshot->op_count; i++) {
    const char *name = snapshot->ops[i].name, *dot = strchr(name, '.');
    if (dot != NULL && strcmp(dot, ".func") == 0 && strcmp(name, "func.func") != 0 &&
        strcmp(name, "llvm.func") != 0 && strcmp(name, "gpu.func") != 0)
      return true;
  }
  return false;
}

static void find_wrong(const assay_trial *trial, assay_state *state, const char *what) {
  state->judged.ran = true;
  state->judged.not_run = "";
  state->judged.right = false;
  state->judged.bitwise_changed = true;
  state->judged.what = assay_arena_format(trial->arena, "@%s %s", trial->entry.name, what);
}

static void judge(const assay_trial *trial, assay_state *state) {
  state->judged = assay_trial_judge(trial, state->answer);
  // Memory may go to an argument instead; a number has no other way out.
  if (!state->judged.ran && state->answer->lost && state->was_public) {
    find_wrong(trial, state, "returns fewer values than it did");
    return;
  }
  if (state->judged.ran || find_function(state->snapshot, trial->entry.name) != NULL ||
      may_be_elsewhere(state->snapshot))
    return;
  // Whoever made it private gave it up to those that remove what nobody calls.
  if (!state->was_public) {
    state->judged.not_run = assay_arena_format(
        trial->arena, "@%s is gone, after it had been made private", trial->entry.name);
    return;
  }
  find_wrong(trial, state, "is gone");
}

// Runs count of the states, the listed ones, by the tail each of them names, in the way of `how`.
static assay_code run_some(const assay_trial *trial, const char *doing, const assay_run_wanted *how,
                           assay_state *const some[], int count, assay_error *err) {
  assay_run_wanted *wanted = assay_arena_take(trial->arena, (size_t)count + 1, sizeof *wanted);
  const assay_tail_answer **answers =
      assay_arena_take(trial->arena, (size_t)count + 1, sizeof(assay_tail_answer *));
  for (int i = 0; i < count; i++)
    wanted[i] = (assay_run_wanted){.state = some[i]->snapshot,
                                   .last_type = some[i]->last_type,
                                   .tail = some[i]->tail,
                                   .purpose = how->purpose,
                                   .literal = how->literal,
                                   .reused = how->reused};
  TRY(assay_runs_take(trial->request, trial->arena, &trial->entry, doing, wanted, count, answers,
                      err));
  for (int i = 0; i < count; i++) {
    some[i]->answer = answers[i];
    judge(trial, some[i]);
  }
  return ASSAY_OK;
}

assay_code assay_state_run(const assay_trial *trial, const assay_run_wanted *how,
                           assay_state *state, assay_error *err) {
  return run_some(trial, "running the state again", how, &state, 1, err);
}

// The state of a snapshot in place of the one that the execution left.
static assay_state stand_in(const assay_trial *trial, const assay_states *states,
                            const assay_execution *execution, const assay_snapshot *snapshot) {
  assay_state made = *assay_states_find(states, execution->after);
  const assay_snapshot *const both[] = {execution->before, snapshot};
  for (int i = 0; i < 2; i++) {
    const assay_function_state *function = find_function(both[i], trial->entry.name);
    if (function != NULL && function->kind == ASSAY_FUNCTION_FUNC)
      made.last_type = function->type;
  }
  made.snapshot = snapshot;
  return made;
}

assay_code assay_states_judge(const assay_trial *trial, const assay_states *states,
                              const assay_execution *execution,
                              const assay_snapshot *const snapshots[], int count,
                              assay_judgement out_judgements[], assay_error *err) {
  assay_state *made = assay_arena_take(trial->arena, (size_t)count + 1, sizeof *made);
  assay_state **some = assay_arena_take(trial->arena, (size_t)count + 1, sizeof(assay_state *));
  for (int i = 0; i < count; i++) {
    made[i] = stand_in(trial, states, execution, snapshots[i]);
    some[i] = &made[i];
  }
  const assay_run_wanted how = {.purpose = ASSAY_RUN_PLAIN, .reused = true};
  TRY(run_some(trial, "running states inside the pass", &how, some, count, err));
  for (int i = 0; i < count; i++)
    out_judgements[i] = made[i].judged;
  return ASSAY_OK;
}

static bool are_twins(const assay_state *a, const assay_state *b) {
  return a->reach == b->reach && strcmp(a->last_type, b->last_type) == 0;
}

// The first state before number i that is the same to the entry.
static const assay_state *find_twin(const assay_trial *trial, const assay_states *states, int i) {
  if (trial->inconclusive != NULL)
    return NULL;
  for (int k = 0; k < i; k++)
    if (are_twins(&states->items[k], &states->items[i]))
      return &states->items[k];
  return NULL;
}

static void copy_twin(const assay_trial *trial, const assay_states *states, int i) {
  const assay_state *twin = find_twin(trial, states, i);
  if (twin == NULL)
    return;
  states->items[i].tail = twin->tail;
  states->items[i].answer = twin->answer;
  states->items[i].judged = twin->judged;
}

assay_code assay_states_run(const assay_trial *trial, const assay_steps *steps,
                            assay_states *out_states, assay_error *err) {
  assay_states states = {0};
  collect(trial, steps, &states);
  bool judged = trial->inconclusive == NULL;
  assay_state **some =
      assay_arena_take(trial->arena, (size_t)states.count + 1, sizeof(assay_state *));
  int count = 0;
  for (int i = 0; i < states.count; i++)
    if ((judged || i == states.count - 1) && find_twin(trial, &states, i) == NULL)
      some[count++] = &states.items[i];
  const assay_run_wanted how = {.purpose = ASSAY_RUN_PLAIN, .reused = true};
  TRY(run_some(trial, "running states", &how, some, count, err));

  // What one tail cannot finish the other may.
  int again = 0;
  assay_state *before = assay_arena_take(trial->arena, (size_t)count + 1, sizeof *before);
  for (int i = 0; i < count; i++)
    if (!some[i]->judged.ran && !some[i]->judged.lowered) {
      before[again] = *some[i];
      some[i]->tail = some[i]->tail == ASSAY_TAIL_FIRST ? ASSAY_TAIL_SECOND : ASSAY_TAIL_FIRST;
      some[again++] = some[i];
    }
  if (again > 0 && (trial->other_usable || !judged))
    TRY(run_some(trial, "running states by the other tail", &how, some, again, err));
  for (int i = 0; i < again; i++)
    if (!some[i]->judged.lowered)
      *some[i] = before[i]; // the first tail's reason is the plainer one
  for (int i = 0; i < states.count; i++)
    copy_twin(trial, &states, i);
  for (int i = 0; i < states.count && !judged; i++)
    states.items[i].judged.ran = false;
  *out_states = states;
  return ASSAY_OK;
}
