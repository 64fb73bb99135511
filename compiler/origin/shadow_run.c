// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadows as the program runs.
#include "compiler/origin/digits.h"
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

size_t assay_loss_log_size(const assay_origin_report *report) {
  return sizeof(assay_loss_log) + ((size_t)report->op_count + 1) * sizeof(assay_loss_event);
}

void assay_loss_begin(const assay_origin_report *report, assay_loss_log *log) {
  (void)report;
  watch.log = log;
  log->op = -1;
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

// What a call hands over, by the number of the argument; the last ones are what a function returns.
enum { HANDED = 64, HANDED_LANES = 64 };
static struct {
  double value;
  assay_shadow shadow;
} handed[HANDED + 1][HANDED_LANES];

static void hand(const assay_shadow_step *it, int number, bool over) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < assay_shadow_lane_count(type); at++) {
    bool fits = number <= HANDED && at < HANDED_LANES;
    assay_shadow_lane here =
        assay_shadow_lane_of(type, it->values[0], over ? it->slots[0] : NULL, at);
    if (over && fits) {
      handed[number][at].value = here.value;
      handed[number][at].shadow = here.shadow;
    }
    if (over)
      continue;
    assay_shadow made = assay_shadow_start(type->format, here.value);
    if (fits && handed[number][at].value == here.value)
      made = handed[number][at].shadow;
    assay_shadow_put(it->slots[0], at, &made);
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

static void show(const assay_shadow_step *it) {
  for (int at = 0; at < assay_shadow_lane_count(&it->op->result); at++) {
    assay_shadow_lane from = assay_shadow_lane_of(&it->op->result, it->values[0], it->slots[0], at);
    see(-1, 0, at, assay_shadow_lost(&it->op->result, &from), from.shadow.op);
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
  const assay_shadow_step it = {.number = number,
                                .op = &watch.ops[number],
                                .values = values,
                                .slots = slots,
                                .log = watch.log};
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
