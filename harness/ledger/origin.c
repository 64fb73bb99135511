// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/origin.h"

#include "compiler/base/text.h"
#include "harness/ledger/loss.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *assay_origin_kind_name(assay_origin_kind kind) {
  static const char *const names[] = {[ASSAY_ORIGIN_NONE] = "",
                                      [ASSAY_ORIGIN_NAN] = "nan",
                                      [ASSAY_ORIGIN_INF] = "inf",
                                      [ASSAY_ORIGIN_LOSS] = "loss"};
  return names[kind];
}

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

// The suspect once more, on that data set alone.
static assay_code watch(search *it, assay_error *err) {
  assay_subject_entry entry = it->trial->entry;
  entry.data_count = 1;
  entry.data[0] = it->trial->entry.data[it->run];
  entry.optimise |= it->of.plain->optimised;
  const assay_run_wanted wanted = {.state = it->of.snapshot,
                                   .source = it->trial->input,
                                   .last_type = it->of.last_type,
                                   .tail = it->of.tail,
                                   .purpose = it->kind == ASSAY_ORIGIN_NAN ? ASSAY_RUN_NAN
                                                                           : ASSAY_RUN_INF};
  return assay_runs_take(it->trial->request, it->trial->arena, &entry, "looking for the origin",
                         &wanted, 1, &it->watched, err);
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

const char *assay_origin_number_text(assay_arena *arena, assay_origin_format format, double value) {
  if (!isfinite(value))
    return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  bool is_narrow = format >= ASSAY_ORIGIN_F16 && format <= ASSAY_ORIGIN_F32;
  const char *made = "";
  for (int digits = 1; digits <= 17; digits++) {
    made = assay_arena_format(arena, "%.*g", digits, value);
    bool same = is_narrow ? strtof(made, NULL) == (float)value : strtod(made, NULL) == value;
    if (same)
      break;
  }
  return made;
}

const char *assay_origin_value_text(assay_arena *arena, const assay_origin_value *value) {
  if (value->count == 1)
    return assay_origin_number_text(arena, value->format, value->numbers[0]);
  assay_text text = {.arena = arena};
  for (int i = 0; i < value->shown; i++)
    assay_text_print(&text, "%s%s", i == 0 ? "[" : ", ",
                     assay_origin_number_text(arena, value->format, value->numbers[i]));
  assay_text_print(&text, value->shown < value->count ? ", ...]" : "]");
  return assay_text_get(&text);
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

static void tell_event(const search *it, const assay_origin_event *event,
                       assay_origin_answer *answer) {
  assay_arena *arena = it->trial->arena;
  const assay_origin_op *op = &it->watched->origin->ops[event->op];
  assay_origin_tell_place(it->trial->arena, op, answer);
  answer->lowered = assay_arena_string(arena, op->lowered);
  answer->operand_count = event->operand_count;
  for (int i = 0; i < event->operand_count; i++)
    answer->operands[i] = assay_origin_value_text(arena, &event->operands[i]);
  answer->result = assay_origin_number_text(arena, ASSAY_ORIGIN_F64, event->result);
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
  if (log->count > 0)
    tell_event(it, &log->events[0], answer);
  else if (it->kind == ASSAY_ORIGIN_INF && isnan(assay_observed_value(at.item, at.index)))
    answer->none = "no result holds an infinity, and none was made on the way to a NaN";
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
  answer->certain = number > 0 && tell_number(it, number, answer);
  if (answer->certain)
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
  TRY(watch(&it, err));
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

// Arithmetic on numbers becomes one operation of the same sense.
static bool tells_more(const assay_origin_answer *origin) {
  static const char *const plain[] = {"arith.", "llvm.", "math."};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strncmp(origin->name, plain[i], strlen(plain[i])) == 0)
      return false;
  return origin->lowered[0] != '\0' && strcmp(origin->lowered, origin->name) != 0;
}

static void print_loss(assay_text *text, const assay_origin_answer *origin) {
  assay_text_print(text, ", with more digits");
  for (int i = 0; i < origin->operand_count; i++)
    assay_text_print(text, "%s%s", i == 0 ? " " : ", ", origin->exact_operands[i]);
  assay_text_print(text, ": %s; %.3g of %d bits lost, %.3g in all", origin->exact_result,
                   origin->lost, origin->bits, origin->element_lost);
}

const char *assay_origin_sentence(assay_arena *arena, const assay_ledger_answer *answer,
                                  const assay_origin_answer *origin) {
  const char *kind = assay_origin_kind_name(origin->kind);
  if (origin->none != NULL)
    return assay_arena_format(arena, "%s origin: none: %s", kind, origin->none);
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%s origin: %s", kind, origin->name);
  if (origin->file[0] != '\0')
    assay_text_print(&text, " at %s:%d:%d", origin->file, origin->line, origin->column);
  else if (origin->lowered[0] != '\0')
    assay_text_print(&text, " at an unknown place");
  if (tells_more(origin))
    assay_text_print(&text, ", in its %s", origin->lowered);
  for (int i = 0; i < origin->operand_count; i++)
    assay_text_print(&text, "%s%s", i == 0 ? " of " : ", ", origin->operands[i]);
  assay_text_print(&text, ": %s", origin->result);
  if (origin->kind == ASSAY_ORIGIN_LOSS)
    print_loss(&text, origin);
  assay_text_print(
      &text, origin->certain ? ", seen in %s" : ", the first that was made; %s may have another",
      origin->element);
  if (origin->data[0] != '\0')
    assay_text_print(&text, ", data set %s", origin->data);
  if (origin->row >= 0)
    assay_text_print(&text, ", after %d %s", answer->rows[origin->row].execution->n,
                     answer->rows[origin->row].execution->name);
  return assay_text_get(&text);
}
