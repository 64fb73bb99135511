// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation makes of its operands' shadows, and what it has lost.
#include "compiler/origin/digits.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/shadow_step.h"
#include "compiler/origin/values.h"

#include <math.h>

static int operand_lane(const assay_shadow_step *it, int operand, int at) {
  return it->op->operands[operand].lanes == 0 ? 0 : at;
}

static void keep_event(const assay_shadow_step *it, const assay_shadow_lane operands[],
                       double value, const assay_shadow *exact, double lost, double gain) {
  assay_loss_event *event = &it->log->events[it->number];
  if (gain <= event->gain && event->lost > 0)
    return;
  int count = it->op->operand_count;
  *event = (assay_loss_event){.lost = lost, .gain = gain, .bits = exact->bits};
  event->format = it->op->result.format;
  event->result = value;
  event->exact_result = (double)exact->value;
  event->operand_count = count;
  for (int i = 0; i < count; i++) {
    assay_origin_format of = it->op->operands[i].format;
    event->operands[i] = (assay_origin_value){.format = of, .count = 1, .shown = 1};
    event->exact_operands[i] = event->operands[i];
    event->operands[i].numbers[0] = operands[i].value;
    event->exact_operands[i].numbers[0] = (double)operands[i].shadow.value;
  }
}

// The shadow of a result, and who is to answer for what it has lost.
static assay_shadow conclude(const assay_shadow_step *it, const assay_shadow_lane operands[],
                             double value, long double exact) {
  assay_origin_format format = it->op->result.format;
  assay_shadow made = assay_shadow_start(format, value);
  if (!isfinite(value) || !isfinite(exact))
    return made;
  made.value = exact;
  for (int i = 0; i < it->op->operand_count; i++)
    if (operands[i].shadow.bits < made.bits)
      made.bits = operands[i].shadow.bits;
  if (assay_digits_are_kept(made.bits, value, exact))
    return made;
  double before = 0;
  for (int i = 0; i < it->op->operand_count; i++) {
    const assay_shadow *from = &operands[i].shadow;
    before = fmax(before, assay_shadow_lost(&it->op->operands[i], &operands[i]));
    if (from->op >= 0 && from->gain > made.gain) {
      made.op = from->op;
      made.gain = from->gain;
    }
  }
  double lost = assay_digits_lost(format, made.bits, value, exact), gain = lost - before;
  if (lost <= ASSAY_LOSS_ACCURATE) {
    made.op = -1;
    made.gain = 0;
  } else if (made.op < 0 || gain > (double)made.gain) {
    keep_event(it, operands, value, &made, lost, gain);
    made.op = it->number;
    made.gain = (float)gain;
  }
  return made;
}

static long double compute(const assay_shadow_op *op, const assay_shadow_lane x[]) {
  long double a = x[0].shadow.value, b = x[1].shadow.value, c = x[2].shadow.value;
  switch (op->compute) {
  case ASSAY_ROUNDED_ADD:
    return a + b;
  case ASSAY_ROUNDED_SUBTRACT:
    return a - b;
  case ASSAY_ROUNDED_MULTIPLY:
    return a * b;
  case ASSAY_ROUNDED_DIVIDE:
    return a / b;
  case ASSAY_ROUNDED_SQRT:
    return sqrtl(a);
  case ASSAY_ROUNDED_FMA:
  case ASSAY_ROUNDED_MULTIPLY_ADD:
    return a * b + c;
  case ASSAY_ROUNDED_TRUNCATE:
  case ASSAY_ROUNDED_FROM_SIGNED:
  case ASSAY_ROUNDED_FROM_UNSIGNED:
    return a;
  case ASSAY_ROUNDED_POWI:
    return powl(a, b);
  case ASSAY_ROUNDED_LIBM:
    return op->one != NULL ? op->one(a) : op->two(a, b);
  }
  return a;
}

void assay_shadow_compute(const assay_shadow_step *it) {
  const assay_shadow_op *op = it->op;
  for (int at = 0; at < assay_shadow_lane_count(&op->result); at++) {
    assay_shadow_lane operands[ASSAY_ORIGIN_OPERANDS] = {{.value = 0}};
    for (int i = 0; i < op->operand_count; i++)
      operands[i] = assay_shadow_lane_of(&op->operands[i], it->values[1 + i], it->slots[1 + i],
                                         operand_lane(it, i, at));
    double value = assay_value_number(&op->result, it->values[0], at);
    long double exact =
        op->kind == ASSAY_SHADOW_CHANGE ? operands[0].shadow.value : compute(op, operands);
    assay_shadow made = conclude(it, operands, value, exact);
    assay_shadow_put(it->slots[0], at, &made);
  }
}

void assay_shadow_reduce(const assay_shadow_step *it) {
  const assay_shadow_op *op = it->op;
  assay_shadow_lane parts[2] = {
      assay_shadow_lane_of(&op->operands[0], it->values[1], it->slots[1], 0), {.value = 0}};
  double most = -1; // bits lost by the second part, the worst of the lanes
  long double exact = parts[0].shadow.value;
  for (int at = 0; at < assay_shadow_lane_count(&op->operands[1]); at++) {
    assay_shadow_lane next =
        assay_shadow_lane_of(&op->operands[1], it->values[2], it->slots[2], at);
    bool adds = op->compute == ASSAY_ROUNDED_ADD;
    exact = adds ? exact + next.shadow.value : exact * next.shadow.value;
    double lost = assay_shadow_lost(&op->operands[1], &next);
    if (lost > most) {
      parts[1] = next;
      most = lost;
    }
  }
  double value = assay_value_number(&op->result, it->values[0], 0);
  assay_shadow made = conclude(it, parts, value, exact);
  assay_shadow_put(it->slots[0], 0, &made);
}
