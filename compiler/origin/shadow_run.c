// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadows as the program runs.
#include "compiler/origin/digits.h"
#include "compiler/origin/events.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/shadow_memory.h"
#include "compiler/origin/shadow_step.h"
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

void assay_loss_begin(const assay_origin_report *report, assay_loss_log *log) {
  watch.log = log;
  log->op = -1;
  assay_events_begin(report->op_count);
}

static void start_lanes(const assay_shadow_step *it) {
  for (int at = 0; at < assay_shadow_lane_count(&it->op->result); at++) {
    const assay_origin_type *type = &it->op->result;
    assay_shadow made =
        assay_shadow_start(type->format, assay_value_number(type, it->values[0], at));
    assay_shadow_put(it->slots[0], at, &made);
  }
}

static void load(const assay_shadow_step *it) {
  const assay_origin_type *type = &it->op->result;
  const unsigned char *address = it->values[1];
  for (int at = 0; at < assay_shadow_lane_count(type); at++) {
    double value = assay_value_number(type, it->values[0], at);
    assay_shadow made;
    if (!assay_shadow_recall(address + (ptrdiff_t)at * type->bytes, value, &made))
      made = assay_shadow_start(type->format, value);
    assay_shadow_put(it->slots[0], at, &made);
  }
}

static void store(const assay_shadow_step *it) {
  const assay_origin_type *type = &it->op->result;
  unsigned char *address = it->values[1];
  for (int at = 0; at < assay_shadow_lane_count(type); at++) {
    assay_shadow_lane from = assay_shadow_lane_of(type, it->values[0], it->slots[0], at);
    assay_shadow_remember(address + (ptrdiff_t)at * type->bytes, from.value, &from.shadow);
  }
}

// What a call hands over, by the number of the float among the arguments; then what a function
// returns.
enum { HANDED = 64, RETURNED = 32, HANDED_LANES = 64 };
static struct {
  double value;
  assay_shadow shadow;
} handed[HANDED + RETURNED][HANDED_LANES];

static void hand(const assay_shadow_step *it, bool returns, bool over) {
  int number = it->op->number, room = returns ? RETURNED : HANDED;
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < assay_shadow_lane_count(type); at++) {
    bool fits = number < room && at < HANDED_LANES;
    int place = fits ? number + (returns ? HANDED : 0) : 0;
    assay_shadow_lane here =
        assay_shadow_lane_of(type, it->values[0], over ? it->slots[0] : NULL, at);
    if (over && fits) {
      handed[place][at].value = here.value;
      handed[place][at].shadow = here.shadow;
    }
    if (over)
      continue;
    assay_shadow made = assay_shadow_start(type->format, here.value);
    if (fits && handed[place][at].value == here.value)
      made = handed[place][at].shadow;
    assay_shadow_put(it->slots[0], at, &made);
  }
}

// The rise that most of a shadow's loss is.
static int greatest(const assay_shadow *shadow) {
  int found = -1;
  for (int i = 0; i < shadow->rise_count; i++)
    if (found < 0 || shadow->rises[i].to - shadow->rises[i].from >
                         shadow->rises[found].to - shadow->rises[found].from)
      found = i;
  return found;
}

static assay_loss_event event_of(const assay_time *time) {
  const assay_shadow_op *op = &watch.ops[time->op];
  assay_loss_event made = {.lost = time->lost,
                           .gain = time->gain,
                           .bits = time->bits,
                           .operand_count = time->operand_count,
                           .format = op->result.format,
                           .result = time->result,
                           .exact_result = time->exact_result};
  for (int i = 0; i < time->operand_count; i++) {
    made.operands[i] =
        (assay_origin_value){.format = op->operands[i].format, .count = 1, .shown = 1};
    made.exact_operands[i] = made.operands[i];
    made.operands[i].numbers[0] = time->operands[i];
    made.exact_operands[i].numbers[0] = time->exact_operands[i];
  }
  return made;
}

// What was last shown to a function that nothing defines: the recorder says next which print it is,
// if it is one.
static struct {
  bool is_open, is_worst, is_untold;
  double value;
} shown;

static void see(int kind, int index, int64_t element, assay_origin_format format, double value,
                const assay_shadow *shadow) {
  assay_loss_log *log = watch.log;
  assay_digits lost = assay_digits_look(format, value, shadow);
  if (lost.least <= ASSAY_LOSS_ACCURATE && lost.most > ASSAY_LOSS_ACCURATE && log->untold++ == 0) {
    log->untold_kind = kind;
    log->untold_index = index;
    log->untold_element = element;
  }
  if (log->seen && lost.least <= log->lost)
    return;
  int rise = greatest(shadow);
  const assay_time *time = rise >= 0 ? assay_events_at(shadow->rises[rise].event) : NULL;
  log->seen = true;
  log->kind = kind;
  log->index = index;
  log->element = element;
  log->lost = lost.least;
  log->op = time != NULL ? time->op : -1;
  if (time != NULL)
    log->event = event_of(time);
}

static void show(const assay_shadow_step *it) {
  const assay_origin_type *type = &it->op->result;
  assay_loss_log *log = watch.log;
  for (int at = 0; at < assay_shadow_lane_count(type); at++) {
    assay_shadow_lane from = assay_shadow_lane_of(type, it->values[0], it->slots[0], at);
    double before = log->seen ? log->lost : -1;
    int64_t untold = log->untold;
    see(-1, 0, at, type->format, from.value, &from.shadow);
    shown.is_open = true;
    shown.is_worst = log->lost > before;
    shown.is_untold = untold == 0 && log->untold == 1;
    shown.value = from.value;
  }
}

static bool is_shown(int kind, int index, int64_t element, double value) {
  if (!shown.is_open || shown.value != value)
    return false;
  assay_loss_log *log = watch.log;
  if (shown.is_worst) {
    log->kind = kind;
    log->index = index;
    log->element = element;
  }
  if (shown.is_untold) {
    log->untold_kind = kind;
    log->untold_index = index;
    log->untold_element = element;
  }
  shown.is_open = false;
  return true;
}

void assay_loss_look(int kind, int index, int64_t element, assay_origin_format format,
                     const void *address) {
  const assay_payload_format *known = assay_payload_of(format);
  if (known == NULL || watch.log == NULL)
    return;
  const assay_origin_type type = {.format = format, .bytes = known->bits / 8};
  double value = assay_value_number(&type, address, 0);
  assay_shadow shadow;
  if (!assay_shadow_recall(address, value, &shadow)) {
    if (is_shown(kind, index, element, value))
      return;
    shadow = assay_shadow_start(format, value);
  }
  see(kind, index, element, format, value, &shadow);
}

// Values and shadows of the result and the operands, in turn.
static void take_step(int32_t number, void *v0, void *s0, void *v1, void *s1, void *v2, void *s2,
                      void *v3, void *s3) {
  void *const values[] = {v0, v1, v2, v3};
  assay_shadow *const slots[] = {s0, s1, s2, s3};
  const assay_shadow_step it = {
      .number = number, .op = &watch.ops[number], .values = values, .slots = slots};
  switch (it.op->kind) {
  case ASSAY_SHADOW_START:
    start_lanes(&it);
    break;
  case ASSAY_SHADOW_MOVE:
  case ASSAY_SHADOW_EXTRACT:
  case ASSAY_SHADOW_INSERT:
    assay_shadow_move(&it);
    break;
  case ASSAY_SHADOW_CHANGE:
  case ASSAY_SHADOW_COMPUTE:
    assay_shadow_compute(&it);
    break;
  case ASSAY_SHADOW_REDUCE:
    assay_shadow_reduce(&it);
    break;
  case ASSAY_SHADOW_LOAD:
    load(&it);
    break;
  case ASSAY_SHADOW_STORE:
    store(&it);
    break;
  case ASSAY_SHADOW_PASS:
    hand(&it, false, true);
    break;
  case ASSAY_SHADOW_TAKE:
    hand(&it, false, false);
    break;
  case ASSAY_SHADOW_RETURN:
    hand(&it, true, true);
    break;
  case ASSAY_SHADOW_RECEIVE:
    hand(&it, true, false);
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
