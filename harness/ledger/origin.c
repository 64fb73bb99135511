// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/origin.h"

#include "compiler/base/text.h"
#include "harness/ledger/exactly.h"
#include "harness/ledger/loss.h"
#include "harness/ledger/replaced.h"
#include "harness/ledger/sought.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A state that may hold what is asked for, and what it showed.
typedef struct suspect {
  const assay_snapshot *snapshot;
  const char *last_type;
  assay_tail tail;
  const assay_tail_answer *plain;
  int row;
} suspect;

typedef struct search {
  const assay_trial *trial;
  assay_sought sought;
  const char *what; // in words: "a NaN"
  suspect of;
  int run; // the data set that shows it: the entry's number
  const assay_tail_answer *watched;
} search;

static const assay_observation *seen_by(const assay_tail_answer *answer, int run) {
  bool ran = answer != NULL && answer->status == ASSAY_TAIL_RAN &&
             answer->outcomes[run].status == ASSAY_TAIL_RAN;
  return ran ? &answer->outcomes[run].seen : NULL;
}

// The first data set on which a state shows it, and is it->run; right: (optional) the input's
// answer, where only what that does not show is asked about.
static bool find_run(search *it, const assay_tail_answer *plain, const assay_tail_answer *right) {
  for (it->run = 0; it->run < it->trial->entry.data_count; it->run++) {
    const assay_observation *seen = seen_by(plain, it->run);
    it->sought.right = seen_by(right, it->run);
    if (seen != NULL && assay_sought_find(&it->sought, seen).item != NULL)
      return true;
  }
  it->sought.right = NULL;
  return false;
}

static bool suspect_state(search *it, const assay_steps *steps, const assay_states *states, int row,
                          const assay_tail_answer *right) {
  const assay_state *state = assay_states_find(states, steps->executions[row]->after);
  if (state == NULL || state->answer == NULL || !find_run(it, state->answer, right))
    return false;
  it->of = (suspect){.snapshot = state->snapshot,
                     .last_type = state->last_type,
                     .tail = state->tail,
                     .plain = state->answer,
                     .row = row};
  return true;
}

// What a pass that is blamed made wrong, else what the input shows, else the first state to.
static bool find_suspect(search *it, const assay_steps *steps, const assay_states *states,
                         const assay_blame *blame) {
  const assay_trial *trial = it->trial;
  if (blame->fault != ASSAY_FAULT_NONE &&
      suspect_state(it, steps, states, blame->row, trial->plain))
    return true;
  it->of = (suspect){.snapshot = trial->input,
                     .last_type = trial->entry.input_type,
                     .tail = trial->tail,
                     .plain = trial->plain,
                     .row = -1};
  bool found = find_run(it, trial->plain, NULL);
  for (int i = 0; i < steps->count && !found; i++)
    found = suspect_state(it, steps, states, i, NULL);
  return found;
}

assay_code assay_origin_run(const assay_trial *trial, const assay_subject_entry *entry,
                            const char *doing, const assay_run_wanted *wanted,
                            const assay_tail_answer **out_answer, assay_error *err) {
  assay_run_wanted how = *wanted;
  const assay_tail_answer *second;
  TRY(assay_runs_take(trial->request, trial->arena, entry, doing, &how, 1, out_answer, err));
  if ((*out_answer)->status == ASSAY_TAIL_RAN || assay_pool_is_stopped(trial->request))
    return ASSAY_OK;
  how.tail = how.tail == ASSAY_TAIL_FIRST ? ASSAY_TAIL_SECOND : ASSAY_TAIL_FIRST;
  TRY(assay_runs_take(trial->request, trial->arena, entry, doing, &how, 1, &second, err));
  if (second->status == ASSAY_TAIL_RAN)
    *out_answer = second;
  return ASSAY_OK;
}

static assay_run_purpose purpose_of(assay_origin_kind kind, bool exactly) {
  bool nan = kind == ASSAY_ORIGIN_NAN;
  return exactly ? (nan ? ASSAY_RUN_NAN_EXACTLY : ASSAY_RUN_INF_EXACTLY)
                 : (nan ? ASSAY_RUN_NAN : ASSAY_RUN_INF);
}

// The suspect once more, on that data set alone.
static assay_code watch(search *it, bool exactly, assay_error *err) {
  assay_subject_entry entry = it->trial->entry;
  entry.data_count = 1;
  entry.data[0] = it->trial->entry.data[it->run];
  double seconds = it->of.plain->outcomes[it->run].seconds;
  entry.optimise |= it->of.plain->optimised || (exactly && seconds > ASSAY_EXACTLY_SECONDS / 10);
  const assay_run_wanted wanted = {.state = it->of.snapshot,
                                   .source = it->trial->input,
                                   .last_type = it->of.last_type,
                                   .tail = it->of.tail,
                                   .purpose = purpose_of(it->sought.kind, exactly)};
  return assay_origin_run(it->trial, &entry, "looking for the origin", &wanted, &it->watched, err);
}

// The smallest number that a NaN in the results carries, where the plain run shows what is sought;
// 0: none carries one. *out_at: the element.
static int find_number(const search *it, assay_sought_element *out_at) {
  const assay_observation *plain = &it->of.plain->outcomes[it->run].seen;
  const assay_observation *seen = &it->watched->outcomes[0].seen;
  int least = 0;
  for (int i = 0; i < seen->count; i++) {
    const assay_observed *item = &seen->items[i];
    const assay_observed *before = assay_observed_find(plain, item, i);
    if (before == NULL || !assay_observed_alike(before, item))
      continue;
    for (int64_t k = 0; k < item->count; k++) {
      int number = assay_origin_number(assay_element_format(item->element),
                                       (const char *)item->data + k * item->bytes);
      if (number == 0 || (least > 0 && number >= least) ||
          !assay_sought_is(&it->sought, before, i, k))
        continue;
      least = number;
      *out_at = (assay_sought_element){item, k};
    }
  }
  return least;
}

static const assay_observation *plain_of(const search *it) {
  return &it->of.plain->outcomes[it->run].seen;
}

static const char *element_text(assay_arena *arena, assay_sought_element at) {
  char name[32], index[160];
  assay_observed_name(at.item, name);
  assay_observed_index(at.item, at.index, sizeof index, index);
  return assay_arena_format(arena, "%s%s", name, index);
}

void assay_origin_tell_place(assay_arena *arena, const assay_origin_op *op,
                             assay_origin_answer *answer) {
  answer->file = assay_arena_string(arena, op->file);
  answer->label = op->label != NULL ? assay_arena_string(arena, op->label) : "";
  answer->line = op->line;
  answer->column = op->column;
  answer->name = assay_arena_string(arena, op->name[0] != '\0' ? op->name : op->lowered);
}

static void tell_constant(const search *it, const assay_origin_op *constant,
                          assay_origin_answer *answer) {
  assay_origin_tell_place(it->trial->arena, constant, answer);
  answer->result = assay_origin_kind_name(it->sought.kind);
}

static void tell_argument(const search *it, int argument, assay_origin_answer *answer) {
  answer->name = assay_arena_format(it->trial->arena, "argument %d", argument);
  answer->result = assay_origin_kind_name(it->sought.kind);
}

void assay_origin_tell_event(assay_arena *arena, const assay_origin_report *report,
                             const assay_origin_event *event, assay_origin_answer *answer) {
  const assay_origin_op *op = &report->ops[event->op];
  assay_origin_tell_place(arena, op, answer);
  answer->lowered = assay_arena_string(arena, op->lowered);
  answer->operand_count = event->operand_count;
  for (int i = 0; i < event->operand_count; i++)
    answer->operands[i] = assay_origin_value_text(arena, &event->operands[i]);
  answer->result = assay_origin_number_text(arena, ASSAY_ORIGIN_F64, event->result);
}

static void tell_event(const search *it, const assay_origin_event *event,
                       assay_origin_answer *answer) {
  assay_origin_tell_event(it->trial->arena, it->watched->origin, event, answer);
}

// What a number stands for; false where it was left for want of one.
static bool tell_number(const search *it, int number, assay_origin_answer *answer) {
  const assay_origin_log *log = &it->watched->origin_logs[0];
  const assay_origin_report *report = it->watched->origin;
  if (number <= ASSAY_ORIGIN_EVENTS) {
    tell_event(it, &log->events[number - 1], answer);
    return number <= log->count;
  }
  number -= ASSAY_ORIGIN_EVENTS;
  if (number <= ASSAY_ORIGIN_ARGUMENTS) {
    tell_argument(it, log->arguments[number - 1], answer);
    return number <= log->argument_count;
  }
  number -= ASSAY_ORIGIN_ARGUMENTS;
  if (number > report->constant_count)
    return false;
  tell_constant(it, &report->constants[number - 1], answer);
  return true;
}

static void fail(assay_origin_answer *answer, const char *why) {
  answer->none = why;
  answer->unanswered = true;
}

// An infinity that stands in the program may have become the NaN.
static const char *say_no_infinity(const search *it) {
  static const char said[] = "no result holds an infinity, and none was made on the way to a NaN";
  const assay_origin_report *report = it->watched->origin;
  assay_arena *arena = it->trial->arena;
  for (int i = 0; i < report->constant_count; i++) {
    assay_origin_answer constant = {.lowered = "constant"};
    assay_origin_tell_place(arena, &report->constants[i], &constant);
    if (strstr(constant.name, ".const") != NULL) // of others it is part of how they were lowered
      return assay_arena_format(arena, "%s; there is one in %s%s", said, constant.name,
                                assay_origin_place_text(arena, &constant));
  }
  return said;
}

// No element says where it came from: the first event is the best guess, else what was there
// before anything was computed.
static void guess(const search *it, assay_origin_answer *answer) {
  const assay_origin_report *report = it->watched->origin;
  const assay_origin_log *log = &it->watched->origin_logs[0];
  const assay_observation *plain = &it->of.plain->outcomes[it->run].seen;
  assay_arena *arena = it->trial->arena;
  assay_sought_element at = assay_sought_find(&it->sought, plain);
  answer->element = element_text(arena, at);
  if (it->sought.kind == ASSAY_ORIGIN_INF &&
      (assay_replaced_none(plain_of(it), it->watched) ||
       (log->count == 0 && isnan(assay_observed_value(at.item, at.index)))))
    answer->none = say_no_infinity(it);
  else if (log->count > 0)
    tell_event(it, &log->events[0], answer);
  else if (report->constant_count > 0)
    tell_constant(it, &report->constants[0], answer);
  else if (log->argument_count > 0)
    tell_argument(it, log->arguments[0], answer);
  else
    fail(answer, assay_arena_format(arena, "%s holds %s, and no operation that was watched made it",
                                    answer->element, it->what));
}

static void conclude(const search *it, assay_origin_answer *answer) {
  const assay_tail_outcome *outcome = &it->watched->outcomes[0];
  assay_arena *arena = it->trial->arena;
  assay_sought_element at;
  if (it->watched->status != ASSAY_TAIL_RAN || outcome->status != ASSAY_TAIL_RAN) {
    fail(answer, assay_arena_format(arena, "the program that looks for it does not run: %s",
                                    it->watched->status != ASSAY_TAIL_RAN ? it->watched->reason
                                                                          : outcome->reason));
    return;
  }
  int number = find_number(it, &at);
  bool told = number > 0 && tell_number(it, number, answer);
  answer->certain = told && (it->sought.kind == ASSAY_ORIGIN_NAN ||
                             assay_replaced_unseen(plain_of(it), it->watched));
  if (told)
    answer->element = element_text(arena, at);
  else
    guess(it, answer);
}

static bool has_end(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

// "() -> f32", "!llvm.func<f32 ()>".
static bool takes_arguments(const char *type) {
  bool none = strncmp(type, "()", 2) == 0 || (type[0] == '!' && has_end(type, " ()>"));
  return !none;
}

const char *assay_origin_data(const assay_trial *trial, int run) {
  bool generated = trial->request->inputs == NULL && takes_arguments(trial->entry.input_type);
  return !generated ? "" : trial->entry.data[run] == 0 ? "int" : "real";
}

static assay_code find(const assay_trial *trial, const assay_steps *steps,
                       const assay_states *states, const assay_blame *blame, assay_origin_kind kind,
                       assay_origin_answer *answer, assay_error *err) {
  search it = {.trial = trial,
               .sought = {.kind = kind},
               .what = kind == ASSAY_ORIGIN_NAN ? "a NaN" : "an infinity"};
  *answer = (assay_origin_answer){.kind = kind, .name = "", .file = "", .lowered = "", .row = -1};
  answer->result = answer->element = answer->data = "";
  if (trial->plain == NULL) {
    fail(answer, "nothing was run");
    return ASSAY_OK;
  }
  it.sought.only = trial->request->origin_of;
  if (!find_suspect(&it, steps, states, blame)) {
    if (trial->inconclusive != NULL)
      fail(answer, trial->inconclusive);
    else
      answer->none = assay_arena_format(trial->arena, "no result holds %s", it.what);
    return ASSAY_OK;
  }
  answer->data = assay_origin_data(trial, it.run);
  answer->row = it.of.row;
  if (it.of.plain->outcomes[it.run].seconds < ASSAY_EXACTLY_SECONDS) {
    TRY(watch(&it, true, err));
    if (assay_exactly_conclude(trial->arena, &it.sought, plain_of(&it), it.watched, answer))
      return ASSAY_OK;
  }
  TRY(watch(&it, false, err));
  conclude(&it, answer);
  return ASSAY_OK;
}

bool assay_origins_asked(const assay_ledger_request *request) {
  return request->nan_origin || request->inf_origin || request->loss_origin;
}

assay_code assay_origins_find(const assay_ledger_request *request, assay_arena *arena,
                              const assay_trial *trial, const assay_steps *steps,
                              const assay_states *states, assay_ledger_answer *answer,
                              assay_error *err) {
  const bool asked[] = {[ASSAY_ORIGIN_NAN] = request->nan_origin,
                        [ASSAY_ORIGIN_INF] = request->inf_origin,
                        [ASSAY_ORIGIN_LOSS] = request->loss_origin};
  size_t kinds = sizeof asked / sizeof *asked;
  assay_origin_answer *origins = assay_arena_take(arena, kinds, sizeof *origins);
  for (size_t kind = 0; kind < kinds; kind++)
    if (asked[kind] && kind == ASSAY_ORIGIN_LOSS)
      TRY(assay_loss_find(trial, steps, states, answer, &origins[answer->origin_count++], err));
    else if (asked[kind])
      TRY(find(trial, steps, states, &answer->blame, (assay_origin_kind)kind,
               &origins[answer->origin_count++], err));
  answer->origins = origins;
  return ASSAY_OK;
}
