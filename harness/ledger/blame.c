// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/blame.h"

#include "harness/ledger/below.h"
#include "harness/ledger/confirm.h"

// Whether row i is the first to show a wrong result: the state after it is wrong, and the one
// before is not known to be wrong already (a pass may run inside another that is half-way through).
static bool turns_wrong(const assay_suspects *it, int i) {
  const assay_execution *execution = it->steps->executions[i];
  const assay_ledger_row *row = &it->rows[i];
  if (!execution->changed || execution->failed || !row->ran || row->right)
    return false;
  if (execution->depth == 0)
    return true;
  if (execution->before == it->steps->stepping->input)
    return true;
  const assay_state *before = assay_states_find(it->states, execution->before);
  return before != NULL && before->judged.ran && before->judged.right;
}

// The first row that may be guilty of what row i shows: the one after the last state that was seen
// to be right.
static int first_suspect(const assay_suspects *it, int i) {
  int from = i;
  for (int k = i - 1; k >= 0 && it->steps->executions[k]->depth == 0; k--) {
    if (!it->steps->executions[k]->changed)
      continue;
    if (it->rows[k].ran)
      break;
    from = k;
  }
  return from;
}

static void set_blame(const assay_suspects *it, int i, assay_fault fault, const char *reason,
                      assay_blame *blame) {
  bool of_a_run = fault == ASSAY_FAULT_MISCOMPILE || fault == ASSAY_FAULT_PRECISION_LOSS;
  *blame = (assay_blame){.fault = fault,
                         .row = i,
                         .range_from = of_a_run ? first_suspect(it, i) : i,
                         .reason = reason,
                         .command = assay_steps_command(it->arena, it->steps->executions[i])};
}

// The first finding in order. What needed runs is confirmed before it is believed.
static assay_code find_first(const assay_suspects *it, assay_blame *blame, assay_error *err) {
  for (int i = 0; i < it->steps->count; i++) {
    assay_ledger_row *row = &it->rows[i];
    if (assay_pool_is_stopped(it->request))
      return ASSAY_OK;
    if (row->fault == ASSAY_FAULT_NONE && turns_wrong(it, i)) {
      assay_confirmation confirmed;
      TRY(assay_confirm(it->trial, it->states, row->execution, &confirmed, err));
      if (assay_pool_is_stopped(it->request))
        return ASSAY_OK; // half a confirmation is none
      row->fault = confirmed.fault;
      row->what = confirmed.what;
    }
    if (row->fault != ASSAY_FAULT_NONE) {
      set_blame(it, i, row->fault, row->what, blame);
      return ASSAY_OK;
    }
  }
  return ASSAY_OK;
}

// What is known of no single pass is known of nothing inside it.
static assay_code look_below(const assay_suspects *it, assay_blame *blame, assay_error *err) {
  if (it->request->whole_passes || blame->fault == ASSAY_FAULT_NONE ||
      blame->range_from != blame->row)
    return ASSAY_OK;
  const assay_below_question question = {.request = it->request,
                                         .arena = it->arena,
                                         .trial = it->trial,
                                         .states = it->states,
                                         .execution = it->steps->executions[blame->row],
                                         .fault = blame->fault,
                                         .left = it->left};
  assay_below below;
  TRY(assay_below_find(&question, &below, err));
  blame->step = below.step;
  blame->pattern = below.pattern;
  return ASSAY_OK;
}

assay_code assay_blame_take(const assay_suspects *suspects, assay_blame *out_blame,
                            assay_error *err) {
  *out_blame = (assay_blame){.fault = ASSAY_FAULT_NONE, .reason = "", .command = ""};
  TRY(find_first(suspects, out_blame, err));
  return look_below(suspects, out_blame, err);
}
