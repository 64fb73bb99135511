// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation makes of its operands' shadows, and what it has lost.
#include "compiler/origin/digits.h"
#include "compiler/origin/events.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/shadow_step.h"
#include "compiler/origin/values.h"

#include <math.h>

static int operand_lane(const assay_shadow_step *it, int operand, int at) {
  return it->op->operands[operand].lanes == 0 ? 0 : at;
}

static assay_time describe(const assay_shadow_step *it, const assay_shadow_lane operands[],
                           double value, const assay_shadow *exact) {
  assay_time time = {.op = it->number, .bits = exact->bits, .operand_count = it->op->operand_count};
  time.result = value;
  time.exact_result = (double)exact->value;
  for (int i = 0; i < time.operand_count; i++) {
    time.operands[i] = operands[i].value;
    time.exact_operands[i] = (double)operands[i].shadow.value;
  }
  return time;
}

static float level_of(double lost, int bits) {
  return (float)(lost - bits);
}

// What is left of an operand's rises where the result has a level: no more of those above it, nor
// of those below what its format can show.
static void inherit(assay_shadow *made, const assay_shadow *from, float level) {
  float least = (float)-made->bits;
  for (int i = 0; i < from->rise_count; i++) {
    assay_shadow_rise rise = from->rises[i];
    rise.from = fmaxf(rise.from, least);
    rise.to = fminf(rise.to, level);
    if (rise.to > rise.from)
      made->rises[made->rise_count++] = rise;
  }
}

static void forget_smallest(assay_shadow *of) {
  int least = 0;
  for (int i = 1; i < of->rise_count; i++)
    if (of->rises[i].to - of->rises[i].from < of->rises[least].to - of->rises[least].from)
      least = i;
  of->rise_count--;
  for (int i = least; i < of->rise_count; i++)
    of->rises[i] = of->rises[i + 1];
}

// An operation that goes on rising what it did is one: a sum in a loop. Its values are those of the
// last time that it came a bit further.
static void add_rise(assay_shadow *made, float from, const assay_time *time, float to) {
  assay_shadow_rise *last = made->rise_count > 0 ? &made->rises[made->rise_count - 1] : NULL;
  const assay_time *before = last != NULL ? assay_events_at(last->event) : NULL;
  if (before != NULL && before->op == time->op) {
    last->to = to;
    if (time->lost >= before->lost + 1)
      last->event = assay_events_keep(time);
    return;
  }
  if (made->rise_count == ASSAY_SHADOW_RISES)
    forget_smallest(made);
  made->rises[made->rise_count++] =
      (assay_shadow_rise){.event = assay_events_keep(time), .from = from, .to = to};
}

// The operand whose error is most of the result's; -1: the operation's own rounding is.
static int find_source(const assay_shadow_step *it, const assay_shadow_lane operands[],
                       double value) {
  if (it->op->kind == ASSAY_SHADOW_CHANGE)
    return 0;
  assay_shadow_lane as_is[ASSAY_ORIGIN_OPERANDS] = {operands[0], operands[1], operands[2]};
  for (int i = 0; i < ASSAY_ORIGIN_OPERANDS; i++)
    as_is[i].shadow.value = (long double)as_is[i].value;
  long double plain = assay_shadow_apply(it->op, as_is);
  long double most = fabsl((long double)value - plain);
  int source = -1;
  for (int i = 0; i < it->op->operand_count; i++) {
    as_is[i].shadow.value = operands[i].shadow.value;
    long double off = fabsl(assay_shadow_apply(it->op, as_is) - plain);
    as_is[i].shadow.value = (long double)as_is[i].value;
    if (off > most) {
      most = off;
      source = i;
    }
  }
  return source;
}

// The shadow of a result, and who is to answer for what it has lost; source: of the operands, as
// found, or FIND.
enum { FIND = -2 };
static assay_shadow conclude(const assay_shadow_step *it, const assay_shadow_lane operands[],
                             double value, long double exact, double error, int source) {
  assay_origin_format format = it->op->result.format;
  assay_shadow made = assay_shadow_start(format, value);
  if (!isfinite(value) || !isfinite(exact))
    return made;
  made.value = exact;
  made.error = isnan(error) ? (double)INFINITY : error;
  for (int i = 0; i < it->op->operand_count; i++)
    if (operands[i].shadow.bits < made.bits)
      made.bits = operands[i].shadow.bits;
  if (assay_digits_are_kept(made.bits, value, exact))
    return made;
  double lost = assay_digits_lost(format, made.bits, value, exact);
  if (lost <= ASSAY_DIGITS_ROUNDED)
    return made;
  float level = level_of(lost, made.bits), before = (float)-made.bits;
  if (source == FIND)
    source = find_source(it, operands, value);
  if (source >= 0) {
    const assay_shadow_lane *from = &operands[source];
    float had = level_of(assay_shadow_lost(&it->op->operands[source], from), from->shadow.bits);
    before = fmaxf(before, had);
    inherit(&made, &from->shadow, level);
  }
  if (level > before) {
    assay_time time = describe(it, operands, value, &made);
    time.lost = lost;
    time.gain = (double)(level - before);
    add_rise(&made, before, &time, level);
  }
  return made;
}

long double assay_shadow_apply(const assay_shadow_op *op, const assay_shadow_lane operands[]) {
  const assay_shadow_lane *x = operands;
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
    bool changes = op->kind == ASSAY_SHADOW_CHANGE;
    long double exact = changes ? operands[0].shadow.value : assay_shadow_apply(op, operands);
    double error = isfinite(exact) ? assay_shadow_error(op, operands, exact) : 0;
    assay_shadow made = conclude(it, operands, value, exact, error, FIND);
    assay_shadow_put(it->slots[0], at, &made);
  }
}

// A product of many is off by what each factor is, in proportion; a sum by what each is.
static double worst_of(const assay_origin_type *type, const assay_shadow_lane *part, bool adds) {
  return adds ? (double)fabsl((long double)part->value - part->shadow.value)
              : assay_shadow_lost(type, part);
}

void assay_shadow_reduce(const assay_shadow_step *it) {
  const assay_shadow_op *op = it->op;
  bool adds = op->compute == ASSAY_ROUNDED_ADD;
  assay_shadow_lane parts[ASSAY_ORIGIN_OPERANDS] = {
      assay_shadow_lane_of(&op->operands[0], it->values[1], it->slots[1], 0), {.value = 0}};
  assay_shadow_lane so_far[ASSAY_ORIGIN_OPERANDS] = {parts[0]};
  double most = -1; // the second part is the worst of the lanes
  long double plain = (long double)parts[0].value;
  for (int at = 0; at < assay_shadow_lane_count(&op->operands[1]); at++) {
    so_far[1] = assay_shadow_lane_of(&op->operands[1], it->values[2], it->slots[2], at);
    long double exact = assay_shadow_apply(op, so_far);
    so_far[0].shadow.error = assay_shadow_error(op, so_far, exact);
    so_far[0].shadow.value = exact;
    long double next = (long double)so_far[1].value;
    plain = adds ? plain + next : plain * next;
    double off = worst_of(&op->operands[1], &so_far[1], adds);
    if (off > most) {
      parts[1] = so_far[1];
      most = off;
    }
  }
  double value = assay_value_number(&op->result, it->values[0], 0);
  int source = most > worst_of(&op->operands[0], &parts[0], adds) ? 1 : 0;
  // Its own rounding is more than what it was given.
  if (fabsl((long double)value - plain) > fabsl(plain - so_far[0].shadow.value))
    source = -1;
  assay_shadow made =
      conclude(it, parts, value, so_far[0].shadow.value, so_far[0].shadow.error, source);
  assay_shadow_put(it->slots[0], 0, &made);
}
