// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation makes of its operands' numbers, and what is an event.
#include "compiler/origin/exact_step.h"

#include "compiler/origin/payload.h"
#include "compiler/origin/values.h"

#include <math.h>
#include <string.h>

int assay_exact_lanes(const assay_origin_type *type) {
  return type->lanes == 0 ? 1 : type->lanes;
}

static bool is_small(assay_origin_format format) {
  return format >= ASSAY_ORIGIN_F8;
}

int assay_exact_bytes(assay_origin_format format) {
  const assay_payload_format *known = assay_payload_of(format);
  return known != NULL ? known->bits / 8 : is_small(format) ? 1 : 0;
}

uint64_t assay_exact_bits(const assay_origin_type *type, const void *values, int lane) {
  uint64_t bits = 0;
  memcpy(&bits, (const unsigned char *)values + (ptrdiff_t)lane * type->bytes, (size_t)type->bytes);
  return bits;
}

static double small_value(assay_origin_format format, uint64_t bits) {
  const assay_origin_type type = {.format = format, .bytes = 1};
  const unsigned char byte = (unsigned char)bits;
  return is_small(format) ? assay_value_number(&type, &byte, 0) : 0;
}

static bool is_nan(assay_origin_format format, uint64_t bits) {
  const assay_payload_format *known = assay_payload_of(format);
  return known != NULL ? assay_payload_is_nan(known, bits) : isnan(small_value(format, bits));
}

static bool is_inf(assay_origin_format format, uint64_t bits) {
  const assay_payload_format *known = assay_payload_of(format);
  return known != NULL ? assay_payload_is_inf(known, bits) : isinf(small_value(format, bits));
}

bool assay_exact_is_asked(assay_origin_format format, uint64_t bits) {
  bool nan = assay_exact_watching()->kind == ASSAY_ORIGIN_NAN;
  return nan ? is_nan(format, bits) : is_inf(format, bits);
}

bool assay_exact_is_inherited(assay_origin_format format, uint64_t bits) {
  bool nan = assay_exact_watching()->kind == ASSAY_ORIGIN_NAN;
  return is_nan(format, bits) || (!nan && is_inf(format, bits));
}

bool assay_exact_is_kept(assay_origin_format format, uint64_t bits) {
  return assay_payload_of(format) == NULL || assay_exact_is_inherited(format, bits);
}

int assay_exact_from_start(assay_origin_format format, uint64_t bits) {
  const assay_exact_watch *watch = assay_exact_watching();
  const assay_payload_format *known = assay_payload_of(format);
  int constant = known != NULL ? assay_payload_get(known, bits) - ASSAY_ORIGIN_EVENTS -
                                     ASSAY_ORIGIN_ARGUMENTS - 1
                               : -1;
  if (constant >= 0 && constant < watch->report->constant_count)
    return ASSAY_EXACT_CONSTANTS + constant;
  return assay_exact_is_inherited(format, bits) ? ASSAY_EXACT_STRANGE : 0;
}

int assay_exact_lane(const assay_exact_step *it, int value, int lane) {
  const assay_origin_type *type = value == 0 ? &it->op->result : &it->op->operands[value - 1];
  uint64_t bits = assay_exact_bits(type, it->values[value], lane);
  assay_exact_slot slot = {.number = 0};
  if (it->slots[value] != NULL)
    memcpy(&slot, (const unsigned char *)it->slots[value] + (ptrdiff_t)lane * ASSAY_SHADOW_BYTES,
           sizeof slot);
  return slot.number > 0 && slot.bits == bits  ? slot.number
         : assay_exact_bytes(type->format) > 0 ? assay_exact_from_start(type->format, bits)
                                               : 0;
}

void assay_exact_put(const assay_exact_step *it, int lane, int number) {
  const assay_exact_slot slot = {.bits = assay_exact_bits(&it->op->result, it->values[0], lane),
                                 .number = number};
  if (it->slots[0] != NULL)
    memcpy((unsigned char *)it->slots[0] + (ptrdiff_t)lane * ASSAY_SHADOW_BYTES, &slot,
           sizeof slot);
}

// The lanes of an operand that a lane of the result is made of: the same one, or all of them.
typedef struct range {
  int from, to;
} range;

static range lanes_of(const assay_exact_step *it, int operand, int lane) {
  const assay_origin_type *type = &it->op->operands[operand];
  if (type->lanes != it->op->result.lanes && type->lanes != 0)
    return (range){0, type->lanes};
  int at = type->lanes == 0 ? 0 : lane;
  return (range){at, at + 1};
}

static assay_origin_value describe(const assay_exact_step *it, int operand, int lane) {
  const assay_origin_type *type = &it->op->operands[operand];
  range lanes = lanes_of(it, operand, lane);
  assay_origin_value made = {.format = type->format, .count = lanes.to - lanes.from};
  for (int i = lanes.from; i < lanes.to && made.shown < ASSAY_ORIGIN_LANES; i++)
    made.numbers[made.shown++] = assay_value_number(type, it->values[1 + operand], i);
  return made;
}

static int add_event(const assay_exact_step *it, int lane) {
  assay_exact_log *log = assay_exact_watching()->log;
  if (log->event_count == ASSAY_EXACT_EVENTS)
    return ASSAY_EXACT_LATER + it->number;
  assay_origin_event *event = &log->events[log->event_count++];
  *event = (assay_origin_event){.op = it->number, .operand_count = it->op->operand_count};
  event->result = assay_value_number(&it->op->result, it->values[0], lane);
  for (int i = 0; i < it->op->operand_count; i++)
    event->operands[i] = describe(it, i, lane);
  return log->event_count;
}

// An infinity that stands in the program's text: the constant at its place.
static int constant_of(const assay_origin_op *op) {
  const assay_origin_report *report = assay_exact_watching()->report;
  for (int i = 0; i < report->constant_count; i++) {
    const assay_origin_op *constant = &report->constants[i];
    if (constant->line == op->line && constant->column == op->column &&
        strcmp(constant->file, op->file) == 0)
      return ASSAY_EXACT_CONSTANTS + i;
  }
  return ASSAY_EXACT_STRANGE;
}

// None of the operands is what the result is.
static int begin(const assay_exact_step *it, int lane, uint64_t bits) {
  const assay_exact_watch *watch = assay_exact_watching();
  assay_origin_format format = it->op->result.format;
  const assay_origin_op *op = &watch->report->ops[it->number];
  int known = assay_exact_from_start(format, bits);
  if (known != ASSAY_EXACT_STRANGE)
    return known;
  bool is_asked = assay_exact_is_asked(format, bits);
  if (strcmp(op->lowered, "mlir.constant") == 0)
    return is_asked ? constant_of(op) : ASSAY_EXACT_UNRELATED;
  // Bits may be those of a float from before, if there was any.
  bool from_bits = strcmp(op->lowered, "bitcast") == 0 && watch->log->event_count > 0;
  if (from_bits || it->op->number == ASSAY_SHADOW_UNFOLLOWED)
    return ASSAY_EXACT_STRANGE;
  return is_asked ? add_event(it, lane) : ASSAY_EXACT_UNRELATED;
}

// The operands' lanes that a lane of the result is made of: those that are inherited, and of the
// numbers of these the smallest.
typedef struct inheritance {
  bool any;
  int number;
} inheritance;

// Of NaN, or of infinities; bits: (optional) those that they must have.
static inheritance inherit(const assay_exact_step *it, int lane, bool nan, const uint64_t *bits) {
  const assay_shadow_op *op = it->op;
  inheritance found = {false, 0};
  for (int i = 0; i < op->operand_count; i++) {
    const assay_origin_type *type = &op->operands[i];
    range lanes = lanes_of(it, i, lane);
    for (int k = lanes.from; k < lanes.to; k++) {
      uint64_t held = assay_exact_bits(type, it->values[1 + i], k);
      if (is_nan(type->format, held) != nan || !assay_exact_is_inherited(type->format, held) ||
          (bits != NULL && held != *bits))
        continue;
      int from = assay_exact_lane(it, 1 + i, k);
      found.any = true;
      if (from > 0 && (found.number == 0 || from < found.number))
        found.number = from;
    }
  }
  return found;
}

// A NaN is that of a NaN operand, whatever infinities it meets; the greater of two infinities is
// that one's.
static int compute(const assay_exact_step *it, int lane, uint64_t bits) {
  assay_origin_format format = it->op->result.format;
  if (!assay_exact_is_inherited(format, bits))
    return 0;
  inheritance found =
      is_nan(format, bits) ? inherit(it, lane, true, NULL) : inherit(it, lane, false, &bits);
  if (!found.any)
    found = inherit(it, lane, false, NULL);
  if (!found.any && is_inf(format, bits))
    found = inherit(it, lane, true, NULL);
  if (!found.any)
    return begin(it, lane, bits);
  return found.number > 0 ? found.number : ASSAY_EXACT_STRANGE;
}

// The lane of the operands, one behind the other, that lane `at` of the result is; -1: not known.
static int moved_lane(const assay_exact_step *it, int at) {
  const assay_shadow_op *op = it->op;
  int first = op->operand_count > 0 ? assay_exact_lanes(&op->operands[0]) : 0;
  if (op->kind == ASSAY_SHADOW_EXTRACT)
    return (int)assay_value_number(&op->operands[1], it->values[2], 0);
  if (op->kind == ASSAY_SHADOW_INSERT)
    return at == (int)assay_value_number(&op->operands[2], it->values[3], 0) ? first : at;
  if (op->kind != ASSAY_SHADOW_MOVE)
    return -1;
  if (op->number == ASSAY_SHADOW_CHOICE) {
    int condition = op->operands[2].lanes == 0 ? 0 : at;
    return assay_value_number(&op->operands[2], it->values[3], condition) != 0 ? at : first + at;
  }
  return op->map != NULL ? op->map[at] : -1;
}

// A lane that has the very bits, for what chooses without saying which: the same one before others.
static int find_moved(const assay_exact_step *it, int at, uint64_t bits) {
  const assay_shadow_op *op = it->op;
  int count = op->kind == ASSAY_SHADOW_MOVE ? op->operand_count : 0;
  for (int i = 0; i < count && i < ASSAY_ORIGIN_OPERANDS; i++) {
    const assay_origin_type *type = &op->operands[i];
    int lanes = assay_exact_lanes(type);
    bool same = lanes == assay_exact_lanes(&op->result);
    for (int k = 0; k < lanes && type->format == op->result.format; k++) {
      int from = same ? (at + k) % lanes : k;
      if (assay_exact_bits(type, it->values[1 + i], from) == bits)
        return assay_exact_lane(it, 1 + i, from);
    }
  }
  return 0;
}

static int number_of(const assay_exact_step *it, int at, uint64_t bits) {
  const assay_shadow_op *op = it->op;
  int moved = moved_lane(it, at);
  if (moved < 0) {
    int found = find_moved(it, at, bits);
    return found > 0 ? found : compute(it, at, bits);
  }
  int first = op->operand_count > 0 ? assay_exact_lanes(&op->operands[0]) : 0;
  if (op->operand_count < 2 && moved >= first)
    return assay_exact_from_start(op->result.format, bits);
  return moved < first ? assay_exact_lane(it, 1, moved) : assay_exact_lane(it, 2, moved - first);
}

void assay_exact_make(const assay_exact_step *it) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < assay_exact_lanes(type); at++) {
    uint64_t bits = assay_exact_bits(type, it->values[0], at);
    if (assay_exact_is_kept(type->format, bits))
      assay_exact_put(it, at, number_of(it, at, bits));
  }
}
