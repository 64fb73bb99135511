// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/ledger.h"

#include "harness/ledger/blame.h"
#include "harness/ledger/entry.h"
#include "harness/ledger/findings.h"
#include "harness/ledger/origin.h"
#include "harness/ledger/pool.h"
#include "harness/ledger/roundtrips.h"
#include "harness/ledger/states.h"

#include <math.h>
#include <string.h>

const char *assay_fault_name(assay_fault fault) {
  static const char *const names[] = {
      [ASSAY_FAULT_NONE] = "",
      [ASSAY_FAULT_MISCOMPILE] = "miscompile",
      [ASSAY_FAULT_PRECISION_LOSS] = "precision-loss",
      [ASSAY_FAULT_NAN_ATTRIBUTE] = "nan-attribute",
      [ASSAY_FAULT_INVALID_IR] = "invalid-ir",
      [ASSAY_FAULT_UNPARSABLE_IR] = "unparsable-ir",
      [ASSAY_FAULT_UNLOWERED] = "unlowered",
      [ASSAY_FAULT_CRASH] = "crash",
      [ASSAY_FAULT_TIMEOUT] = "timeout",
      [ASSAY_FAULT_NONDETERMINISTIC] = "nondeterministic",
  };
  return names[fault];
}

bool assay_fault_is_of_values(assay_fault fault) {
  return fault == ASSAY_FAULT_MISCOMPILE || fault == ASSAY_FAULT_PRECISION_LOSS ||
         fault == ASSAY_FAULT_NONDETERMINISTIC;
}

bool assay_fault_needs_runs(assay_fault fault) {
  return assay_fault_is_of_values(fault) || fault == ASSAY_FAULT_UNLOWERED;
}

struct assay_ledger {
  const assay_ledger_request *request;
  assay_arena *arena;
  assay_steps steps;
  assay_ledger_row *rows; // what is known of them without running anything
};

// One entry's way through the ledger.
typedef struct ledger {
  const assay_ledger_request *request;
  assay_arena *arena;
  assay_steps steps;
  assay_ledger_row *rows;
  assay_trial trial;
  assay_states states;
  const char *no_entry;  // why there is nothing to run; NULL
  const char *unrun_end; // why the last state was not run; NULL
} ledger;

static assay_ledger_row *blank_rows(assay_arena *arena, const assay_steps *steps) {
  assay_ledger_row *rows = assay_arena_take(arena, (size_t)steps->count + 1, sizeof *rows);
  for (int i = 0; i < steps->count; i++) {
    rows[i] = (assay_ledger_row){.execution = steps->executions[i],
                                 .not_run = "",
                                 .roundtrips = true,
                                 .parse_error = "",
                                 .what = ""};
    for (int k = 0; k < ASSAY_DATA_SETS; k++)
      rows[i].margin[k] = NAN;
  }
  return rows;
}

// What the states computed, into the rows of the executions that led to them.
static void fill_rows(ledger *it) {
  assay_judgement of_input = assay_trial_judge(&it->trial, it->trial.plain);
  of_input.right = true; // by it all others are judged
  for (int i = 0; i < it->steps.count; i++) {
    const assay_execution *execution = it->steps.executions[i];
    assay_ledger_row *row = &it->rows[i];
    const assay_state *state = assay_states_find(&it->states, execution->after);
    bool is_input = execution->after == it->steps.stepping->input;
    if (is_input ? it->trial.inconclusive != NULL : state == NULL || state->answer == NULL)
      continue;
    const assay_judgement *judged = is_input ? &of_input : &state->judged;
    row->ran = judged->ran;
    row->not_run = judged->not_run;
    row->right = judged->right;
    row->bitwise_changed = judged->bitwise_changed;
    row->what = judged->what;
    memcpy(row->margin, judged->margin, sizeof row->margin);
  }
}

static bool is_unrun(const assay_ledger_row *row) {
  return !row->ran && row->not_run[0] != '\0' && !row->execution->failed;
}

// That nothing was found says nothing of an end that did not run.
static void find_unrun_end(ledger *it) {
  int last = it->steps.count - 1;
  while (last >= 0 && !it->rows[last].execution->changed)
    last--;
  if (last < 0 || !is_unrun(&it->rows[last]) || it->trial.inconclusive != NULL)
    return;
  int first = last; // of the states up to the end that were not run
  for (int i = last; i >= 0; i--)
    if (it->rows[i].execution->changed && it->rows[i].execution->depth == 0) {
      if (!is_unrun(&it->rows[i]))
        break;
      first = i;
    }
  const assay_execution *execution = it->rows[first].execution;
  it->unrun_end = assay_arena_format(it->arena, "what %d %s left was not run%s: %s", execution->n,
                                     execution->name, first < last ? ", and nothing after it" : "",
                                     it->rows[first].not_run);
}

// The operation of the last state that no tail can lower; "" where one can, or something else
// stopped them.
static const char *find_left(const ledger *it) {
  if (it->steps.count == 0 || it->no_entry != NULL)
    return "";
  const assay_state *end =
      assay_states_find(&it->states, it->steps.executions[it->steps.count - 1]->after);
  if (end == NULL || end->answer == NULL || end->judged.lowered || end->answer->left == NULL)
    return "";
  return end->answer->left;
}

static assay_code run_entry(ledger *it, const assay_function_state *function, assay_error *err) {
  const assay_snapshot *input = it->steps.stepping->input;
  if (function == NULL || it->request->without_runs)
    return ASSAY_OK;
  if (it->steps.count == 0 && assay_origins_asked(it->request))
    return assay_trial_glance(it->request, it->arena, input, function, &it->trial, err);
  TRY(assay_trial_open(it->request, it->arena, input, function, &it->trial, err));
  TRY(assay_states_run(&it->trial, &it->steps, &it->states, err));
  fill_rows(it);
  find_unrun_end(it);
  return ASSAY_OK;
}

static void describe_observed(const ledger *it, assay_ledger_answer *answer) {
  const assay_tail_answer *plain = it->trial.plain;
  if (plain == NULL || plain->status != ASSAY_TAIL_RAN)
    return;
  const assay_observation *seen = &plain->outcomes[0].seen;
  const char **names = assay_arena_take(it->arena, (size_t)seen->count + 1, sizeof *names);
  for (int i = 0; i < seen->count; i++) {
    char name[32], type[128];
    assay_observed_name(&seen->items[i], name);
    assay_observed_describe(&seen->items[i], sizeof type, type);
    names[i] = assay_arena_format(it->arena, "%s: %s", name, type);
  }
  answer->observed_count = seen->count;
  answer->observed = names;
}

static assay_ledger_answer make_answer(const ledger *it) {
  assay_ledger_answer made = {.input = it->steps.stepping->input,
                              .entry = it->trial.entry.name != NULL ? it->trial.entry.name : "",
                              .tail = assay_tail_describe(it->trial.tail),
                              .row_count = it->steps.count,
                              .rows = it->rows,
                              .first_changing = -1,
                              .failed_row = -1,
                              .inconclusive =
                                  it->no_entry != NULL ? it->no_entry : it->trial.inconclusive,
                              .note_count = it->trial.note_count,
                              .notes = it->trial.notes};
  describe_observed(it, &made);
  for (int i = it->steps.count - 1; i >= 0; i--) {
    if (it->rows[i].ran && it->rows[i].bitwise_changed)
      made.first_changing = i;
    if (it->steps.executions[i]->failed)
      made.failed_row = i;
  }
  if (made.failed_row >= 0)
    made.failed_message = it->steps.executions[made.failed_row]->message;
  return made;
}

static const assay_observation *outcome_of(const assay_tail_answer *answer, int i) {
  if (answer == NULL || answer->status != ASSAY_TAIL_RAN ||
      answer->outcomes[i].status != ASSAY_TAIL_RAN)
    return NULL;
  return &answer->outcomes[i].seen;
}

// The values that a bundle shows: of the input, and of the accused state.
static assay_code show_values(const ledger *it, assay_ledger_answer *answer, assay_error *err) {
  const assay_trial *trial = &it->trial;
  if (answer->blame.fault == ASSAY_FAULT_NONE || trial->plain == NULL)
    return ASSAY_OK;
  const assay_snapshot *bad = it->steps.executions[answer->blame.row]->after;
  const assay_state *state = assay_states_find(&it->states, bad);
  assay_ledger_shown *shown =
      assay_arena_take(it->arena, (size_t)trial->entry.data_count, sizeof *shown);
  for (int i = 0; i < trial->entry.data_count; i++) {
    shown[i] = (assay_ledger_shown){.data = trial->entry.data[i],
                                    .expected = outcome_of(trial->plain, i),
                                    .got = state != NULL ? outcome_of(state->answer, i) : NULL};
    TRY(assay_runs_arguments(it->request, it->arena, &trial->entry, trial->entry.data[i],
                             &shown[i].arguments, err));
  }
  answer->shown_count = trial->entry.data_count;
  answer->shown = shown;
  return ASSAY_OK;
}

assay_code assay_ledger_open(const assay_ledger_request *request, assay_arena *arena,
                             const assay_ledger **out_ledger, assay_error *err) {
  assay_ledger *made = assay_arena_take(arena, 1, sizeof *made);
  made->request = request;
  made->arena = arena;
  TRY(assay_steps_take(request, arena, &made->steps, err));
  made->rows = blank_rows(arena, &made->steps);
  TRY(assay_roundtrips_check(request, arena, &made->steps, made->rows, err));
  *out_ledger = made;
  return ASSAY_OK;
}

const char *const *assay_ledger_entries(const assay_ledger *of, int *out_count) {
  const assay_snapshot *input = of->steps.stepping->input;
  const char **names =
      assay_arena_take(of->arena, (size_t)input->function_count + 1, sizeof *names);
  *out_count = 0;
  for (int i = 0; i < input->function_count; i++)
    if (input->functions[i].is_public)
      names[(*out_count)++] = input->functions[i].name;
  return names;
}

const char *assay_ledger_entry_type(const assay_ledger *of, const char *entry) {
  const char *ignored;
  const assay_function_state *function =
      assay_entry_find(of->steps.stepping->input, entry, of->arena, &ignored);
  return function != NULL ? function->type : NULL;
}

assay_code assay_ledger_differs(const assay_ledger *of, const char *entry, bool *out_differs,
                                assay_error *err) {
  const char *no_entry;
  const assay_snapshot *input = of->steps.stepping->input;
  const assay_function_state *function = assay_entry_find(input, entry, of->arena, &no_entry);
  assay_trial trial;
  assay_states states;
  *out_differs = false;
  if (function == NULL)
    return ASSAY_OK;
  TRY(assay_trial_glance(of->request, of->arena, input, function, &trial, err));
  if (trial.inconclusive != NULL)
    return ASSAY_OK;
  trial.other_usable = true; // for what the first cannot lower
  TRY(assay_states_run(&trial, &of->steps, &states, err));
  for (int i = 0; i < states.count; i++)
    *out_differs |= states.items[i].judged.ran && !states.items[i].judged.right;
  return ASSAY_OK;
}

static void cut_short(const ledger *it, assay_ledger_answer *answer) {
  int changed = 0, ran = 0;
  for (int i = 0; i < answer->row_count; i++) {
    changed += answer->rows[i].execution->changed;
    ran += answer->rows[i].execution->changed && answer->rows[i].ran;
  }
  answer->blame = (assay_blame){.fault = ASSAY_FAULT_NONE, .reason = "", .command = ""};
  answer->inconclusive =
      assay_arena_format(it->arena, "stopped, with %d of %d states judged%s", ran, changed,
                         it->steps.stopped ? ", and before the end of the pipeline" : "");
}

assay_code assay_ledger_ask(const assay_ledger *of, const char *entry,
                            const assay_ledger_answer **out_answer, assay_error *err) {
  ledger it = {.request = of->request, .arena = of->arena, .steps = of->steps};
  size_t count = (size_t)it.steps.count;
  it.rows = assay_arena_take(it.arena, count + 1, sizeof *it.rows);
  memcpy(it.rows, of->rows, count * sizeof *it.rows);
  const assay_function_state *function =
      assay_entry_find(it.steps.stepping->input, entry, it.arena, &it.no_entry);
  TRY(run_entry(&it, function, err));
  const char *left = find_left(&it);
  assay_findings_mark(it.request, it.arena, &it.steps, left, it.rows);
  const assay_suspects suspects = {.request = it.request,
                                   .arena = it.arena,
                                   .steps = &it.steps,
                                   .trial = &it.trial,
                                   .states = &it.states,
                                   .rows = it.rows,
                                   .left = left};
  assay_blame blame;
  TRY(assay_blame_take(&suspects, &blame, err));
  assay_ledger_answer *answer = assay_arena_take(it.arena, 1, sizeof *answer);
  *answer = make_answer(&it);
  answer->blame = blame;
  answer->stopped = assay_pool_is_stopped(it.request);
  if (answer->stopped)
    cut_short(&it, answer);
  else if (blame.fault == ASSAY_FAULT_NONE && answer->inconclusive == NULL)
    answer->inconclusive = it.unrun_end;
  TRY(show_values(&it, answer, err));
  if (!answer->stopped)
    TRY(assay_origins_find(it.request, it.arena, &it.trial, &it.steps, &it.states, answer, err));
  *out_answer = answer;
  return ASSAY_OK;
}
