// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of values, and how they move.
#include "compiler/origin/digits.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/shadow_step.h"
#include "compiler/origin/values.h"

#include <math.h>
#include <string.h>

assay_shadow_lane assay_shadow_lane_of(const assay_origin_type *type, const void *value,
                                       const assay_shadow *shadow, int at) {
  assay_shadow_lane made = {.value = assay_value_number(type, value, at)};
  const unsigned char *slot = (const unsigned char *)shadow;
  bool has_shadow = shadow != NULL && assay_payload_of(type->format) != NULL;
  made.shadow = assay_shadow_start(type->format, made.value);
  if (has_shadow)
    memcpy(&made.shadow, slot + (ptrdiff_t)at * ASSAY_SHADOW_BYTES, sizeof made.shadow);
  if ((long double)made.value == made.shadow.value)
    made.shadow.bits = assay_digits_of(type->format);
  return made;
}

double assay_shadow_lost(const assay_origin_type *type, const assay_shadow_lane *of) {
  return assay_digits_lost(type->format, of->shadow.bits, of->value, of->shadow.value);
}

void assay_shadow_put(assay_shadow *slots, int at, const assay_shadow *shadow) {
  memcpy((unsigned char *)slots + (ptrdiff_t)at * ASSAY_SHADOW_BYTES, shadow, sizeof *shadow);
}

int assay_shadow_lane_count(const assay_origin_type *type) {
  return type->lanes == 0 ? 1 : type->lanes;
}

// The lane of an operand that a value is, but for its sign; false: none.
static bool find_moved(const assay_shadow_step *it, int at, double value,
                       assay_shadow_lane *out_lane) {
  const assay_shadow_op *op = it->op;
  for (int i = 0; i < op->operand_count; i++) {
    const assay_origin_type *type = &op->operands[i];
    bool same = assay_shadow_lane_count(type) == assay_shadow_lane_count(&op->result);
    for (int k = 0; k < assay_shadow_lane_count(type) && assay_payload_of(type->format) != NULL;
         k++) {
      int from = same ? (at + k) % assay_shadow_lane_count(type) : k;
      *out_lane = assay_shadow_lane_of(type, it->values[1 + i], it->slots[1 + i], from);
      if (fabs(out_lane->value) == fabs(value))
        return true;
    }
  }
  return false;
}

static assay_shadow_lane lane_by_number(const assay_shadow_step *it, int number) {
  int first = assay_shadow_lane_count(&it->op->operands[0]), operand = number < first ? 0 : 1;
  return assay_shadow_lane_of(&it->op->operands[operand], it->values[1 + operand],
                              it->slots[1 + operand], operand == 0 ? number : number - first);
}

// The lane of the operands that lane `at` of the result is; -1: not known.
static int moved_lane(const assay_shadow_step *it, int at) {
  const assay_shadow_op *op = it->op;
  int first = op->operand_count > 0 ? assay_shadow_lane_count(&op->operands[0]) : 0;
  if (op->kind == ASSAY_SHADOW_EXTRACT)
    return (int)assay_value_number(&op->operands[1], it->values[2], 0);
  if (op->kind == ASSAY_SHADOW_INSERT)
    return at == (int)assay_value_number(&op->operands[2], it->values[3], 0) ? first : at;
  return op->map != NULL ? op->map[at] : -1;
}

void assay_shadow_move(const assay_shadow_step *it) {
  const assay_origin_type *type = &it->op->result;
  for (int at = 0; at < assay_shadow_lane_count(type); at++) {
    double value = assay_value_number(type, it->values[0], at);
    assay_shadow_lane from;
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
    assay_shadow_put(it->slots[0], at, &made);
  }
}
