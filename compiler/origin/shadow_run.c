// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadows as the program runs.
#include "compiler/origin/digits.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/shadow.h"
#include "compiler/origin/shadow_memory.h"
#include "compiler/origin/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
  const assay_shadow_op *ops;
  assay_loss_log *log;
} watch;

void assay_shadow_describe(const assay_shadow_op *ops) {
  watch.ops = ops;
}

size_t assay_loss_log_size(const assay_origin_report *report) {
  return sizeof(assay_loss_log) + ((size_t)report->op_count + 1) * sizeof(assay_loss_event);
}

void assay_loss_begin(const assay_origin_report *report, assay_loss_log *log) {
  (void)report;
  watch.log = log;
  log->op = -1;
}

// One lane of a value of the program.
typedef struct lane {
  assay_shadow shadow;
  double value;
} lane;

static lane lane_of(const assay_origin_type *type, const void *value, const assay_shadow *shadow,
                    int at) {
  lane made = {.value = assay_value_number(type, value, at)};
  const unsigned char *slot = (const unsigned char *)shadow;
  bool has_shadow = shadow != NULL && assay_payload_of(type->format) != NULL;
  made.shadow = assay_shadow_start(type->format, made.value);
  if (has_shadow)
    memcpy(&made.shadow, slot + (ptrdiff_t)at * ASSAY_SHADOW_BYTES, sizeof made.shadow);
  if ((long double)made.value == made.shadow.value)
    made.shadow.bits = assay_digits_of(type->format);
  return made;
}

static double lost_of(const assay_origin_type *type, const lane *of) {
  return assay_digits_lost(type->format, of->shadow.bits, of->value, of->shadow.value);
}

static void put(assay_shadow *slots, int at, const assay_shadow *shadow) {
  memcpy((unsigned char *)slots + (ptrdiff_t)at * ASSAY_SHADOW_BYTES, shadow, sizeof *shadow);
}

typedef struct step {
  int number;
  const assay_shadow_op *op;
  void *const *values; // the result's, then the operands'
  assay_shadow *const *slots;
} step;

static int lane_count(const assay_origin_type *type) {
  return type->lanes == 0 ? 1 : type->lanes;
}

static int operand_lane(const step *it, int operand, int at) {
  return it->op->operands[operand].lanes == 0 ? 0 : at;
}

static void keep_event(const step *it, const lane operands[], double value,
                       const assay_shadow *exact, double lost, double gain) {
  assay_loss_event *event = &watch.log->events[it->number];
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
static assay_shadow conclude(const step *it, const lane operands[], double value,
                             long double exact) {
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
    before = fmax(before, lost_of(&it->op->operands[i], &operands[i]));
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

static long double compute(const assay_shadow_op *op, const lane x[]) {
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

static void compute_lanes(const step *it) {
  const assay_shadow_op *op = it->op;
  for (int at = 0; at < lane_count(&op->result); at++) {
    lane operands[ASSAY_ORIGIN_OPERANDS] = {{.value = 0}};
    for (int i = 0; i < op->operand_count; i++)
      operands[i] =
          lane_of(&op->operands[i], it->values[1 + i], it->slots[1 + i], operand_lane(it, i, at));
    double value = assay_value_number(&op->result, it->values[0], at);
    long double exact =
        op->kind == ASSAY_SHADOW_CHANGE ? operands[0].shadow.value : compute(op, operands);
    assay_shadow made = conclude(it, operands, value, exact);
    put(it->slots[0], at, &made);
  }
}

static void reduce(const step *it) {
  const assay_shadow_op *op = it->op;
  lane parts[2] = {lane_of(&op->operands[0], it->values[1], it->slots[1], 0), {.value = 0}};
  double most = -1; // bits lost by the second part, the worst of the lanes
  long double exact = parts[0].shadow.value;
  for (int at = 0; at < lane_count(&op->operands[1]); at++) {
    lane next = lane_of(&op->operands[1], it->values[2], it->slots[2], at);
    bool adds = op->compute == ASSAY_ROUNDED_ADD;
    exact = adds ? exact + next.shadow.value : exact * next.shadow.value;
    double lost = lost_of(&op->operands[1], &next);
    if (lost > most) {
      parts[1] = next;
      most = lost;
    }
  }
  double value = assay_value_number(&op->result, it->values[0], 0);
  assay_shadow made = conclude(it, parts, value, exact);
  put(it->slots[0], 0, &made);
}

// The lane of an operand that a value is, but for its sign; false: none.
static bool find_moved(const step *it, int at, double value, lane *out_lane) {
  const assay_shadow_op *op = it->op;
  for (int i = 0; i < op->operand_count; i++) {
    const assay_origin_type *type = &op->operands[i];
    bool same = lane_count(type) == lane_count(&op->result);
    for (int k = 0; k < lane_count(type) && assay_payload_of(type->format) != NULL; k++) {
      int from = same ? (at + k) % lane_count(type) : k;
      *out_lane = lane_of(type, it->values[1 + i], it->slots[1 + i], from);
      if (fabs(out_lane->value) == fabs(value))
        return true;
    }
  }
  return false;
}

static lane lane_by_number(const step *it, int number) {
  int first = lane_count(&it->op->operands[0]), operand = number < first ? 0 : 1;
  return lane_of(&it->op->operands[operand], it->values[1 + operand], it->slots[1 + operand],
                 operand == 0 ? number : number - first);
}

// The lane of the operands that lane `at` of the result is; -1: not known.
static int moved_lane(const step *it, int at) {
  const assay_shadow_op *op = it->op;
  int first = op->operand_count > 0 ? lane_count(&op->operands[0]) : 0;
  if (op->kind == ASSAY_SHADOW_EXTRACT)
    return (int)assay_value_number(&op->operands[1], it->values[2], 0);
  if (op->kind == ASSAY_SHADOW_INSERT)
    return at == (int)assay_value_number(&op->operands[2], it->values[3], 0) ? first : at;
  return op->map != NULL ? op->map[at] : -1;
}

static void move(const step *it) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < lane_count(type); at++) {
    double value = assay_value_number(type, it->values[0], at);
    lane from;
    assay_shadow made = assay_shadow_start(type->format, value);
    int number = moved_lane(it, at);
    bool found = number >= 0;
    if (found)
      from = lane_by_number(it, number);
    else
      found = find_moved(it, at, value, &from);
    if (found && fabs(from.value) == fabs(value)) {
      made = from.shadow;
      if (signbit(from.value) != signbit(value))
        made.value = -made.value;
    }
    put(it->slots[0], at, &made);
  }
}

static void start_lanes(const step *it) {
  for (int at = 0; at < lane_count(&it->op->result); at++) {
    const assay_origin_type *type = &it->op->result;
    assay_shadow made =
        assay_shadow_start(type->format, assay_value_number(type, it->values[0], at));
    put(it->slots[0], at, &made);
  }
}

static void load(const step *it) {
  const assay_origin_type *type = &it->op->result;
  const unsigned char *address = it->values[1];
  for (int at = 0; at < lane_count(type); at++) {
    double value = assay_value_number(type, it->values[0], at);
    assay_shadow made;
    if (!assay_shadow_recall(address + (ptrdiff_t)at * type->bytes, value, &made))
      made = assay_shadow_start(type->format, value);
    put(it->slots[0], at, &made);
  }
}

static void store(const step *it) {
  const assay_origin_type *type = &it->op->result;
  unsigned char *address = it->values[1];
  for (int at = 0; at < lane_count(type); at++) {
    lane from = lane_of(type, it->values[0], it->slots[0], at);
    assay_shadow_remember(address + (ptrdiff_t)at * type->bytes, from.value, &from.shadow);
  }
}

// What a call hands over, by the number of the argument; the last ones are what a function returns.
enum { HANDED = 64, HANDED_LANES = 64 };
static struct {
  double value;
  assay_shadow shadow;
} handed[HANDED + 1][HANDED_LANES];

static void hand(const step *it, int number, bool over) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < lane_count(type); at++) {
    bool fits = number <= HANDED && at < HANDED_LANES;
    lane here = lane_of(type, it->values[0], over ? it->slots[0] : NULL, at);
    if (over && fits) {
      handed[number][at].value = here.value;
      handed[number][at].shadow = here.shadow;
    }
    if (over)
      continue;
    assay_shadow made = assay_shadow_start(type->format, here.value);
    if (fits && handed[number][at].value == here.value)
      made = handed[number][at].shadow;
    put(it->slots[0], at, &made);
  }
}

static void see(int kind, int index, int64_t element, double lost, int op) {
  assay_loss_log *log = watch.log;
  if (log->seen && lost <= log->lost)
    return;
  log->seen = true;
  log->kind = kind;
  log->index = index;
  log->element = element;
  log->lost = lost;
  log->op = op;
}

static void show(const step *it) {
  for (int at = 0; at < lane_count(&it->op->result); at++) {
    lane from = lane_of(&it->op->result, it->values[0], it->slots[0], at);
    see(-1, 0, at, lost_of(&it->op->result, &from), from.shadow.op);
  }
}

void assay_loss_look(int kind, int index, int64_t element, assay_origin_format format,
                     const void *address) {
  const assay_payload_format *known = assay_payload_of(format);
  if (known == NULL || watch.log == NULL)
    return;
  const assay_origin_type type = {.format = format, .bytes = known->bits / 8};
  double value = assay_value_number(&type, address, 0);
  assay_shadow shadow;
  if (!assay_shadow_recall(address, value, &shadow))
    shadow = assay_shadow_start(format, value);
  see(kind, index, element, assay_digits_lost(format, shadow.bits, value, shadow.value), shadow.op);
}

// Values and shadows of the result and the operands, in turn.
static void take_step(int32_t number, void *v0, void *s0, void *v1, void *s1, void *v2, void *s2,
                      void *v3, void *s3) {
  void *const values[] = {v0, v1, v2, v3};
  assay_shadow *const slots[] = {s0, s1, s2, s3};
  const step it = {.number = number, .op = &watch.ops[number], .values = values, .slots = slots};
  switch (it.op->kind) {
  case ASSAY_SHADOW_START:
    start_lanes(&it);
    break;
  case ASSAY_SHADOW_MOVE:
  case ASSAY_SHADOW_EXTRACT:
  case ASSAY_SHADOW_INSERT:
    move(&it);
    break;
  case ASSAY_SHADOW_CHANGE:
  case ASSAY_SHADOW_COMPUTE:
    compute_lanes(&it);
    break;
  case ASSAY_SHADOW_REDUCE:
    reduce(&it);
    break;
  case ASSAY_SHADOW_LOAD:
    load(&it);
    break;
  case ASSAY_SHADOW_STORE:
    store(&it);
    break;
  case ASSAY_SHADOW_PASS:
    hand(&it, it.op->number, true);
    break;
  case ASSAY_SHADOW_TAKE:
    hand(&it, it.op->number, false);
    break;
  case ASSAY_SHADOW_RETURN:
    hand(&it, HANDED, true);
    break;
  case ASSAY_SHADOW_RECEIVE:
    hand(&it, HANDED, false);
    break;
  case ASSAY_SHADOW_SHOW:
    show(&it);
    break;
  }
}

// From one block to the next.
static void hand_slots(void *to, const void *from, int64_t lanes) {
  memmove(to, from, (size_t)lanes * ASSAY_SHADOW_BYTES);
}

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_loss_symbol *assay_loss_symbols(void) {
  static const assay_loss_symbol symbols[] = {
      {ASSAY_SHADOW_STEP, (void (*)(void))take_step},
      {ASSAY_SHADOW_COPY, (void (*)(void))assay_shadow_copy},
      {ASSAY_SHADOW_HAND, (void (*)(void))hand_slots},
      {"memrefCopy", (void (*)(void))assay_shadow_copy_memref},
      {NULL, NULL},
  };
  return symbols;
}
