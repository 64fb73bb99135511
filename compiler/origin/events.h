// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations at the times at which they lost bits, with their values, as shadows remember them; of
// this room only. The first few thousand times of each operation are kept each by itself; all later
// ones share one, which shows the worst of them.
#ifndef ASSAY_COMPILER_ORIGIN_EVENTS_H
#define ASSAY_COMPILER_ORIGIN_EVENTS_H

#include "compiler/origin/loss.h"

typedef struct assay_time {
  int op;
  int bits, operand_count;
  double lost, gain;
  double operands[ASSAY_ORIGIN_OPERANDS], exact_operands[ASSAY_ORIGIN_OPERANDS];
  double result, exact_result;
} assay_time;

// Forgets all; operations are numbered below op_count.
void assay_events_begin(int op_count);
// The number of what was kept.
int assay_events_keep(const assay_time *time);
// NULL: -1, or nothing of that number.
const assay_time *assay_events_at(int event);

#endif
