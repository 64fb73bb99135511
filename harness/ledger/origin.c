// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/origin.h"

#include "compiler/base/text.h"
#include "harness/ledger/exactly.h"
#include "harness/ledger/loss.h"
#include "harness/ledger/replaced.h"

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
  assay_origin_kind kind;
  const char *sought; // in words: "a NaN"
  suspect of;
  int run; // the data set that shows it: the entry's number
  const assay_tail_answer *watched;
} search;

// An element of what was observed.
typedef struct element {
  const assay_observed *item; // NULL: none
  int64_t index;
} element;

static bool is_float(const assay_observed *item) {
  return item->element != ASSAY_ELEMENT_INTEGER && item->element != ASSAY_ELEMENT_TEXT;
}

// Infinities are asked for by the NaN, too, that they became.
static bool is_sought(assay_origin_kind kind, double value) {
  return isnan(value) || (kind == ASSAY_ORIGIN_INF && isinf(value));
}

// The first one; of infinities one that did not become a NaN, where there is any.
static element find_sought(const assay_observation *seen, assay_origin_kind kind) {
  element found = {NULL, 0};
  for (int i = 0; i < seen->count; i++)
    for (int64_t k = 0; is_float(&seen->items[i]) && k < seen->items[i].count; k++) {
      double value = assay_observed_value(&seen->items[i], k);
      bool better = found.item == NULL || (kind == ASSAY_ORIGIN_INF && isinf(value));
      if (!better || !is_sought(kind, value))
        continue;
      found = (element){&seen->items[i], k};
      if (kind == ASSAY_ORIGIN_NAN || isinf(value))
        return found;
    }
  return found;
}

// The first data set on which a state shows it; -1: none.
static int find_run(const search *it, const assay_tail_answer *plain) {
  if (plain == NULL || plain->status != ASSAY_TAIL_RAN)
    return -1;
  for (int i = 0; i < it->trial->entry.data_count; i++)
    if (plain->outcomes[i].status == ASSAY_TAIL_RAN &&
        find_sought(&plain->outcomes[i].seen, it->kind).item != NULL)
      return i;
  return -1;
}

static bool find_suspect(search *it, const assay_steps *steps, const assay_states *states) {
  const assay_trial *trial = it->trial;
  it->of = (suspect){.snapshot = trial->input,
                     .last_type = trial->entry.input_type,
                     .tail = trial->tail,
                     .plain = trial->plain,
                     .row = -1};
  it->run = find_run(it, trial->plain);
  for (int i = 0; i < steps->count && it->run < 0; i++) {
    const assay_state *state = assay_states_find(states, steps->executions[i]->after);
    if (state == NULL || state->answer == NULL)
      continue;
    it->of = (suspect){.snapshot = state->snapshot,
                       .last_type = state->last_type,
                       .tail = state->tail,
                       .plain = state->answer,
                       .row = i};
    it->run = find_run(it, state->answer);
  }
  return it->run >= 0;
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
                                   .purpose = purpose_of(it->kind, exactly)};
  return assay_origin_run(it->trial, &entry, "looking for the origin", &wanted, &it->watched, err);
}

// The smallest number that a NaN in the results carries, where the plain run shows what is sought;
// 0: none carries one. *out_at: the element.
static int find_number(const search *it, element *out_at) {
  const assay_observation *plain = &it->of.plain->outcomes[it->run].seen;
  const assay_observation *seen = &it->watched->outcomes[0].seen;
  int least = 0;
  for (int i = 0; i < seen->count; i++) {
    const assay_observed *item = &seen->items[i];
    const assay_observed *before = assay_observed_find(plain, item, i);
    if (before == NULL || !assay_observed_alike(before, item))
      continue;
    for (int64_t k = 0; is_float(item) && k < item->count; k++) {
      int number = assay_origin_number(assay_element_format(item->element),
                                       (const char *)item->data + k * item->bytes);
      if (number == 0 || (least > 0 && number >= least) ||
          !is_sought(it->kind, assay_observed_value(before, k)))
        continue;
      least = number;
      *out_at = (element){item, k};
    }
  }
  return least;
}

static const assay_observation *plain_of(const search *it) {
  return &it->of.plain->outcomes[it->run].seen;
}

static const char *element_text(assay_arena *arena, element at) {
  char name[32], index[160];
  assay_observed_name(at.item, name);
  assay_observed_index(at.item, at.index, sizeof index, index);
  return assay_arena_format(arena, "%s%s", name, index);
}

void assay_origin_tell_place(assay_arena *arena, const assay_origin_op *op,
                             assay_origin_answer *answer) {
  answer->file = assay_arena_string(arena, op->file);
  answer->line = op->line;
  answer->column = op->column;
  answer->name = assay_arena_string(arena, op->name[0] != '\0' ? op->name : op->lowered);
}

static void tell_constant(const search *it, const assay_origin_op *constant,
                          assay_origin_answer *answer) {
  assay_origin_tell_place(it->trial->arena, constant, answer);
  answer->result = assay_origin_kind_name(it->kind);
}

static void tell_argument(const search *it, int argument, assay_origin_answer *answer) {
  answer->name = assay_arena_format(it->trial->arena, "argument %d", argument);
  answer->result = assay_origin_kind_name(it->kind);
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

// No element says where it came from: the first event is the best guess, else what was there
// before anything was computed.
static void guess(const search *it, assay_origin_answer *answer) {
  const assay_origin_report *report = it->watched->origin;
  const assay_origin_log *log = &it->watched->origin_logs[0];
  const assay_observation *plain = &it->of.plain->outcomes[it->run].seen;
  assay_arena *arena = it->trial->arena;
  element at = find_sought(plain, it->kind);
  answer->element = element_text(arena, at);
  if ((it->kind == ASSAY_ORIGIN_INF && assay_replaced_none(plain_of(it), it->watched)) ||
      (log->count == 0 && it->kind == ASSAY_ORIGIN_INF &&
       isnan(assay_observed_value(at.item, at.index))))
    answer->none = "no result holds an infinity, and none was made on the way to a NaN";
  else if (log->count > 0)
    tell_event(it, &log->events[0], answer);
  else if (report->constant_count > 0)
    tell_constant(it, &report->constants[0], answer);
  else if (log->argument_count > 0)
    tell_argument(it, log->arguments[0], answer);
  else
    answer->none =
        assay_arena_format(arena, "%s holds %s, and no operation that was watched made it",
                           answer->element, it->sought);
}

static void conclude(const search *it, assay_origin_answer *answer) {
  const assay_tail_outcome *outcome = &it->watched->outcomes[0];
  assay_arena *arena = it->trial->arena;
  element at;
  if (it->watched->status != ASSAY_TAIL_RAN || outcome->status != ASSAY_TAIL_RAN) {
    answer->none = assay_arena_format(arena, "the program that looks for it does not run: %s",
                                      it->watched->status != ASSAY_TAIL_RAN ? it->watched->reason
                                                                            : outcome->reason);
    return;
  }
  int number = find_number(it, &at);
  bool told = number > 0 && tell_number(it, number, answer);
  answer->certain =
      told && (it->kind == ASSAY_ORIGIN_NAN || assay_replaced_unseen(plain_of(it), it->watched));
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
                       const assay_states *states, assay_origin_kind kind,
                       assay_origin_answer *answer, assay_error *err) {
  search it = {
      .trial = trial, .kind = kind, .sought = kind == ASSAY_ORIGIN_NAN ? "a NaN" : "an infinity"};
  *answer = (assay_origin_answer){.kind = kind, .name = "", .file = "", .lowered = "", .row = -1};
  answer->result = answer->element = answer->data = "";
  if (trial->plain == NULL) {
    answer->none = "nothing was run";
    return ASSAY_OK;
  }
  if (!find_suspect(&it, steps, states)) {
    answer->none = trial->inconclusive != NULL
                       ? trial->inconclusive
                       : assay_arena_format(trial->arena, "no result holds %s", it.sought);
    return ASSAY_OK;
  }
  answer->data = assay_origin_data(trial, it.run);
  answer->row = it.of.row;
  if (it.of.plain->outcomes[it.run].seconds < ASSAY_EXACTLY_SECONDS) {
    TRY(watch(&it, true, err));
    if (assay_exactly_conclude(trial->arena, kind, &it.of.plain->outcomes[it.run].seen, it.watched,
                               answer))
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
      TRY(find(trial, steps, states, (assay_origin_kind)kind, &origins[answer->origin_count++],
               err));
  answer->origins = origins;
  return ASSAY_OK;
}
