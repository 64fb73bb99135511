// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/pass_rows.h"

#include <math.h>

// Passes inside each other, that are told apart.
enum { DEEPEST = 16 };

static int64_t count_ops(const assay_snapshot *snapshot) {
  int64_t count = 0;
  if (snapshot == NULL)
    return -1;
  for (int i = 0; i < snapshot->op_count; i++)
    count += snapshot->ops[i].count;
  return count;
}

// Its own seconds. inside: those of passes at each depth that no pass around them has claimed yet:
// a pass's row comes behind the rows of those inside it.
static double own_seconds(const assay_execution *execution, double inside[DEEPEST + 1]) {
  int depth = execution->depth < DEEPEST ? execution->depth : DEEPEST - 1;
  double own = execution->seconds - inside[depth + 1];
  inside[depth + 1] = 0;
  inside[depth] += execution->seconds;
  return fmax(own, 0);
}

assay_pass_row *assay_ledger_pass_rows(assay_arena *arena, const assay_ledger_answer *answer,
                                       size_t *out_count) {
  double inside[DEEPEST + 1] = {0};
  *out_count = (size_t)answer->row_count;
  assay_pass_row *rows = assay_arena_take(arena, *out_count, sizeof *rows);
  for (size_t i = 0; i < *out_count; i++) {
    const assay_ledger_row *row = &answer->rows[i];
    const assay_execution *execution = row->execution;
    bool shown = execution->changed && row->ran;
    rows[i] = (assay_pass_row){
        .n = execution->n,
        .name = execution->name,
        .seconds = own_seconds(execution, inside),
        .ops_before = count_ops(execution->before),
        .ops_after = count_ops(execution->after),
        .changed = execution->changed,
        .margin = shown ? fmax(row->margin[0], row->margin[1]) : NAN, // a NaN gives way
        .nan_added = execution->nan_count,
        .fault = row->fault != ASSAY_FAULT_NONE ? assay_fault_name(row->fault) : NULL};
  }
  return rows;
}
