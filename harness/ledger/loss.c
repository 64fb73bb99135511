// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/loss.h"

#include "harness/ledger/origin.h"

typedef struct search {
  const assay_trial *trial;
  const assay_tail_answer *watched;
  int run; // whose element has lost most; -1: none ran
} search;

static assay_code watch(search *it, const assay_snapshot *state, const char *last_type,
                        assay_tail tail, assay_error *err) {
  const assay_run_wanted wanted = {.state = state,
                                   .source = it->trial->input,
                                   .last_type = last_type,
                                   .tail = tail,
                                   .purpose = ASSAY_RUN_LOSS};
  TRY(assay_origin_run(it->trial, &it->trial->entry, "looking for lost digits", &wanted,
                       &it->watched, err));
  it->run = -1;
  for (int i = 0; it->watched->status == ASSAY_TAIL_RAN && i < it->trial->entry.data_count; i++)
    if (it->watched->outcomes[i].status == ASSAY_TAIL_RAN && it->watched->loss_logs[i]->seen &&
        (it->run < 0 || it->watched->loss_logs[i]->lost > it->watched->loss_logs[it->run]->lost))
      it->run = i;
  return ASSAY_OK;
}

static const assay_loss_log *log_of(const search *it) {
  return it->run >= 0 ? it->watched->loss_logs[it->run] : NULL;
}

static bool has_lost(const search *it) {
  const assay_loss_log *log = log_of(it);
  return log != NULL && log->lost > ASSAY_LOSS_ACCURATE && log->op >= 0;
}

static const char *place_text(const search *it, int run, int kind, int index, int64_t element) {
  const assay_observation *seen = &it->watched->outcomes[run].seen;
  for (int i = 0; i < seen->count; i++)
    if ((int)seen->items[i].kind == kind && seen->items[i].index == index) {
      char name[32], at[160];
      assay_observed_name(&seen->items[i], name);
      assay_observed_index(&seen->items[i], element, sizeof at, at);
      return assay_arena_format(it->trial->arena, "%s%s", name, at);
    }
  return "what it prints";
}

static const char *element_text(const search *it, const assay_loss_log *log) {
  return place_text(it, it->run, log->kind, log->index, log->element);
}

// The run of which most elements cannot be told; -1: none.
static int untold_run(const search *it) {
  int found = -1;
  for (int i = 0; it->run >= 0 && i < it->trial->entry.data_count; i++)
    if (it->watched->outcomes[i].status == ASSAY_TAIL_RAN &&
        it->watched->loss_logs[i]->untold > (found < 0 ? 0 : it->watched->loss_logs[found]->untold))
      found = i;
  return found;
}

static const char *why_none(const search *it) {
  assay_arena *arena = it->trial->arena;
  const assay_tail_answer *watched = it->watched;
  int untold = untold_run(it);
  if (untold >= 0) {
    const assay_loss_log *log = watched->loss_logs[untold];
    const char *others = log->untold == 1 ? ""
                                          : assay_arena_format(arena, " and %lld more elements",
                                                               (long long)log->untold - 1);
    return assay_arena_format(
        arena, "what %s%s lost cannot be told: the 64 bits computed besides cancelled too",
        place_text(it, untold, log->untold_kind, log->untold_index, log->untold_element), others);
  }
  const assay_loss_log *log = log_of(it);
  if (log != NULL && log->lost > ASSAY_LOSS_ACCURATE)
    return assay_arena_format(arena,
                              "%s has lost %.3g bits, but no operation that was followed did",
                              element_text(it, log), log->lost);
  if (log != NULL)
    return assay_arena_format(arena, "no result has lost more than %.2g bits", log->lost);
  const char *reason =
      watched->status != ASSAY_TAIL_RAN ? watched->reason : watched->outcomes[0].reason;
  return reason[0] == '\0'
             ? "no result is a float"
             : assay_arena_format(arena, "the program with shadows does not run: %s", reason);
}

// With a few digits more than the program's own format has.
static const char *exact_text(assay_arena *arena, const assay_loss_event *event, double value) {
  return assay_arena_format(arena, event->format == ASSAY_ORIGIN_F64 ? "%.17g" : "%.10g", value);
}

static void tell(const search *it, assay_origin_answer *answer) {
  assay_arena *arena = it->trial->arena;
  const assay_loss_log *log = log_of(it);
  const assay_loss_event *event = &log->event;
  const assay_origin_op *op = &it->watched->origin->ops[log->op];
  assay_origin_tell_place(arena, op, answer);
  answer->lowered = assay_arena_string(arena, op->lowered);
  answer->operand_count = event->operand_count;
  for (int i = 0; i < event->operand_count; i++) {
    answer->operands[i] = assay_origin_value_text(arena, &event->operands[i]);
    answer->exact_operands[i] = exact_text(arena, event, event->exact_operands[i].numbers[0]);
  }
  answer->result = assay_origin_number_text(arena, event->format, event->result);
  answer->exact_result = exact_text(arena, event, event->exact_result);
  answer->bits = event->bits;
  answer->lost = event->lost;
  answer->element = element_text(it, log);
  answer->element_lost = log->lost;
  answer->data = assay_origin_data(it->trial, it->run);
  answer->certain = true;
}

assay_code assay_loss_find(const assay_trial *trial, const assay_steps *steps,
                           const assay_states *states, const assay_ledger_answer *of,
                           assay_origin_answer *answer, assay_error *err) {
  search it = {.trial = trial, .run = -1};
  *answer = (assay_origin_answer){.kind = ASSAY_ORIGIN_LOSS, .name = "", .file = "", .row = -1};
  answer->lowered = answer->result = answer->element = answer->data = "";
  if (trial->plain == NULL) {
    answer->none = "nothing was run";
    return ASSAY_OK;
  }
  TRY(watch(&it, trial->input, trial->entry.input_type, trial->tail, err));
  if (!has_lost(&it) && of->blame.fault == ASSAY_FAULT_PRECISION_LOSS) {
    const assay_state *bad = assay_states_find(states, steps->executions[of->blame.row]->after);
    answer->row = bad != NULL ? of->blame.row : -1;
    if (bad != NULL)
      TRY(watch(&it, bad->snapshot, bad->last_type, bad->tail, err));
  }
  if (has_lost(&it))
    tell(&it, answer);
  else
    answer->none = why_none(&it);
  return ASSAY_OK;
}
