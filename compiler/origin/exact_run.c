// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of NaN and infinities as the program runs. A slot holds the number of a value together
// with its bits, and is written only where the value is what is asked for: what an earlier one left
// there has other bits.
#include "compiler/origin/exact.h"
#include "compiler/origin/exact_memory.h"
#include "compiler/origin/exact_step.h"

#include <string.h>

static assay_exact_watch watch;

void assay_exact_describe(const assay_shadow_op *ops) {
  watch.ops = ops;
}

const assay_exact_watch *assay_exact_watching(void) {
  return &watch;
}

void assay_exact_begin(assay_origin_kind kind, const assay_origin_report *report,
                       assay_exact_log *log) {
  watch.kind = kind;
  watch.report = report;
  watch.log = log;
}

static void load(const assay_exact_step *it) {
  const assay_origin_type *type = &it->op->result;
  const unsigned char *address = it->values[1];
  for (int at = 0; at < assay_exact_lanes(type); at++) {
    uint64_t bits = assay_exact_bits(type, it->values[0], at);
    if (!assay_exact_is_kept(type->format, bits))
      continue;
    int number = assay_exact_recall(address + (ptrdiff_t)at * type->bytes, bits);
    assay_exact_put(it, at, number > 0 ? number : assay_exact_from_start(type->format, bits));
  }
}

static void store(const assay_exact_step *it) {
  const assay_origin_type *type = &it->op->result;
  unsigned char *address = it->values[1];
  for (int at = 0; at < assay_exact_lanes(type); at++) {
    uint64_t bits = assay_exact_bits(type, it->values[0], at);
    if (assay_exact_is_kept(type->format, bits))
      assay_exact_remember(address + (ptrdiff_t)at * type->bytes, bits,
                           assay_exact_lane(it, 0, at));
  }
}

// What a call hands over, by the number of the argument; then what a function returns.
enum { HANDED = 64, RETURNED = 32, HANDED_LANES = 64 };
static assay_exact_slot handed[HANDED + RETURNED][HANDED_LANES];

static void hand_over(const assay_exact_step *it, int argument) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0;
       at < assay_exact_lanes(type) && at < HANDED_LANES && argument < HANDED + RETURNED; at++)
    handed[argument][at] = (assay_exact_slot){.bits = assay_exact_bits(type, it->values[0], at),
                                              .number = assay_exact_lane(it, 0, at)};
}

static void take_over(const assay_exact_step *it, int argument) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < assay_exact_lanes(type); at++) {
    uint64_t bits = assay_exact_bits(type, it->values[0], at);
    if (!assay_exact_is_kept(type->format, bits))
      continue;
    bool fits =
        argument < HANDED + RETURNED && at < HANDED_LANES && handed[argument][at].bits == bits;
    int number = fits ? handed[argument][at].number : 0;
    assay_exact_put(it, at, number > 0 ? number : assay_exact_from_start(type->format, bits));
  }
}

// What is printed next.
static assay_exact_slot shown;

static void show(const assay_exact_step *it) {
  shown = (assay_exact_slot){.bits = assay_exact_bits(&it->op->result, it->values[0], 0),
                             .number = assay_exact_lane(it, 0, 0)};
}

void assay_exact_mark(int argument, assay_origin_format format, const void *elements, int count) {
  const assay_origin_type type = {.format = format, .bytes = assay_exact_bytes(format)};
  for (int i = 0; i < count && type.bytes > 0; i++) {
    const unsigned char *at = (const unsigned char *)elements + (ptrdiff_t)i * type.bytes;
    uint64_t bits = assay_exact_bits(&type, at, 0);
    bool is_asked = assay_exact_is_asked(format, bits);
    if (assay_exact_is_inherited(format, bits))
      assay_exact_remember(at, bits,
                           is_asked ? ASSAY_EXACT_ARGUMENTS + argument : ASSAY_EXACT_UNRELATED);
  }
}

void assay_exact_look(int kind, int index, int64_t element, assay_origin_format format,
                      const void *address) {
  const assay_origin_type type = {.format = format, .bytes = assay_exact_bytes(format)};
  if (type.bytes == 0)
    return;
  uint64_t bits = assay_exact_bits(&type, address, 0);
  if (!assay_exact_is_inherited(format, bits))
    return;
  int number = shown.number > 0 && shown.bits == bits ? shown.number : 0;
  shown = (assay_exact_slot){.number = 0};
  if (number == 0)
    number = assay_exact_recall(address, bits);
  if (number == 0)
    number = assay_exact_from_start(format, bits);
  assay_exact_log *log = watch.log;
  assay_exact_range *last = log->range_count > 0 ? &log->ranges[log->range_count - 1] : NULL;
  if (number == 0)
    return;
  if (last != NULL && last->kind == kind && last->index == index && last->number == number &&
      last->first + last->count == element)
    last->count++;
  else if (log->range_count < ASSAY_EXACT_RANGES)
    log->ranges[log->range_count++] = (assay_exact_range){
        .kind = kind, .index = index, .first = element, .count = 1, .number = number};
}

static int argument_of(const assay_shadow_op *op) {
  return op->number < HANDED ? op->number : HANDED + RETURNED; // too many
}

// Values and slots of the result and the operands, in turn.
static void take_step(int32_t number, void *v0, void *s0, void *v1, void *s1, void *v2, void *s2,
                      void *v3, void *s3) {
  void *const values[] = {v0, v1, v2, v3};
  void *const slots[] = {s0, s1, s2, s3};
  const assay_exact_step it = {
      .number = number, .op = &watch.ops[number], .values = values, .slots = slots};
  switch (it.op->kind) {
  case ASSAY_SHADOW_LOAD:
    load(&it);
    break;
  case ASSAY_SHADOW_STORE:
    store(&it);
    break;
  case ASSAY_SHADOW_PASS:
    hand_over(&it, argument_of(it.op));
    break;
  case ASSAY_SHADOW_TAKE:
    take_over(&it, argument_of(it.op));
    break;
  case ASSAY_SHADOW_RETURN:
    hand_over(&it, HANDED + it.op->number);
    break;
  case ASSAY_SHADOW_RECEIVE:
    take_over(&it, HANDED + it.op->number);
    break;
  case ASSAY_SHADOW_SHOW:
    show(&it);
    break;
  case ASSAY_SHADOW_START:
  case ASSAY_SHADOW_MOVE:
  case ASSAY_SHADOW_EXTRACT:
  case ASSAY_SHADOW_INSERT:
  case ASSAY_SHADOW_CHANGE:
  case ASSAY_SHADOW_COMPUTE:
  case ASSAY_SHADOW_REDUCE:
    assay_exact_make(&it);
    break;
  }
}

// From one block to the next.
static void hand_slots(void *to, const void *from, int64_t lanes) {
  memmove(to, from, (size_t)lanes * ASSAY_SHADOW_BYTES);
}

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_loss_symbol *assay_exact_symbols(void) {
  static const assay_loss_symbol symbols[] = {
      {ASSAY_SHADOW_STEP, (void (*)(void))take_step},
      {ASSAY_SHADOW_COPY, (void (*)(void))assay_exact_copy},
      {ASSAY_SHADOW_HAND, (void (*)(void))hand_slots},
      {"memrefCopy", (void (*)(void))assay_exact_copy_memref},
      {NULL, NULL},
  };
  return symbols;
}
