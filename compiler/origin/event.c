// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instrumented code calls where a result is not finite, in the process of a run.
#include "compiler/origin/payload.h"
#include "compiler/origin/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
  assay_origin_kind kind;
  const assay_origin_report *report;
  assay_origin_log *log;
  unsigned char *numbers; // of each operation's event; 0: it had none
} watch;

void assay_origin_begin(assay_origin_kind kind, const assay_origin_report *report,
                        assay_origin_log *log) {
  watch.kind = kind;
  watch.report = report;
  watch.log = log;
  watch.numbers = calloc((size_t)report->op_count + 1, 1);
  if (watch.numbers == NULL)
    abort();
  log->count = log->argument_count = 0;
}

// The lanes of an operand that a lane of the result is made of: the same one, or all of them.
typedef struct range {
  int from, to;
} range;

static range lanes_of(const assay_origin_type *operand, const assay_origin_type *result, int lane) {
  if (operand->lanes == result->lanes || operand->lanes == 0) {
    int at = operand->lanes == 0 ? 0 : lane;
    return (range){at, at + 1};
  }
  return (range){0, operand->lanes};
}

static assay_origin_value describe(const assay_origin_type *type, const void *values, range lanes) {
  assay_origin_value made = {.format = type->format, .count = lanes.to - lanes.from};
  for (int i = lanes.from; i < lanes.to && made.shown < ASSAY_ORIGIN_LANES; i++)
    made.numbers[made.shown++] = assay_value_number(type, values, i);
  return made;
}

// One lane of an operation as it ran.
typedef struct step {
  int op, lane;
  const assay_origin_op *of;
  const assay_payload_format *format;
  void *result; // this lane's
  uint64_t bits;
  const void *const *operands;
} step;

// What the operands hold that is not finite.
typedef struct findings {
  bool nan, inf;
  int number; // the smallest that a NaN carries; 0: none
} findings;

static findings examine(const step *it) {
  findings found = {false, false, 0};
  for (int i = 0; i < it->of->operand_count; i++) {
    const assay_origin_type *type = &it->of->operands[i];
    const assay_payload_format *format = assay_payload_of(type->format);
    range lanes = lanes_of(type, &it->of->result, it->lane);
    for (int k = lanes.from; format != NULL && k < lanes.to; k++) {
      const unsigned char *at = (const unsigned char *)it->operands[i] + (ptrdiff_t)k * type->bytes;
      uint64_t bits = assay_payload_load(format, at);
      int number = assay_payload_get(format, bits);
      found.nan |= assay_payload_is_nan(format, bits);
      found.inf |= assay_payload_is_inf(format, bits);
      if (number > 0 && (found.number == 0 || number < found.number))
        found.number = number;
    }
  }
  return found;
}

static int number_of(const step *it) {
  assay_origin_log *log = watch.log;
  if (watch.numbers[it->op] > 0)
    return watch.numbers[it->op];
  if (log->count == ASSAY_ORIGIN_EVENTS)
    return ASSAY_ORIGIN_OTHERS;
  const assay_origin_type *type = &it->of->result;
  assay_origin_event *event = &log->events[log->count++];
  watch.numbers[it->op] = (unsigned char)log->count;
  *event = (assay_origin_event){.op = it->op, .operand_count = it->of->operand_count};
  event->result = assay_value_number(type, it->result, 0);
  for (int i = 0; i < it->of->operand_count; i++)
    event->operands[i] = describe(&it->of->operands[i], it->operands[i],
                                  lanes_of(&it->of->operands[i], type, it->lane));
  return log->count;
}

static void look_at(const step *it) {
  bool nan = assay_payload_is_nan(it->format, it->bits);
  bool inf = assay_payload_is_inf(it->format, it->bits);
  if (!nan && !(inf && watch.kind == ASSAY_ORIGIN_INF))
    return;
  findings found = examine(it);
  // Bits that hold a number are a float's from before; without one they may be, if there was any.
  bool from_bits = strcmp(it->of->lowered, "bitcast") == 0;
  if (from_bits && (watch.log->count > 0 || assay_payload_get(it->format, it->bits) > 0))
    return;
  // Infinities are replaced: a NaN made of others is no event where those are asked for.
  bool is_event = nan ? !found.nan && watch.kind == ASSAY_ORIGIN_NAN : !found.nan && !found.inf;
  int number = is_event ? number_of(it) : nan ? found.number : 0; // libm loses the operands' number
  if (nan && number == 0 && watch.kind == ASSAY_ORIGIN_INF)
    number = ASSAY_ORIGIN_UNRELATED; // it need not be looked at again
  if (number > 0)
    assay_payload_store(it->format, it->result, assay_payload_put(it->format, it->bits, number));
}

void assay_origin_look(int32_t op, void *result, const void *a, const void *b, const void *c) {
  const void *const operands[ASSAY_ORIGIN_OPERANDS] = {a, b, c};
  const assay_origin_op *of = &watch.report->ops[op];
  const assay_payload_format *format = assay_payload_of(of->result.format);
  for (int lane = 0; lane < of->result.lanes || lane == 0; lane++) {
    step it = {.op = op, .lane = lane, .of = of, .format = format, .operands = operands};
    it.result = (unsigned char *)result + (ptrdiff_t)lane * of->result.bytes;
    it.bits = assay_payload_load(format, it.result);
    look_at(&it);
  }
}

// The number of an argument: elements are marked one argument after the other.
static int number_of_argument(int argument) {
  assay_origin_log *log = watch.log;
  int count = log->argument_count;
  bool is_new = count == 0 || log->arguments[count - 1] != argument;
  if (is_new && count == ASSAY_ORIGIN_ARGUMENTS)
    return ASSAY_ORIGIN_OTHERS;
  if (is_new)
    log->arguments[log->argument_count++] = argument;
  return ASSAY_ORIGIN_EVENTS + log->argument_count;
}

void assay_origin_mark(int argument, assay_origin_format format, void *elements, int count) {
  const assay_payload_format *known = assay_payload_of(format);
  for (int i = 0; i < count && known != NULL; i++) {
    unsigned char *at = (unsigned char *)elements + (ptrdiff_t)i * (known->bits / 8);
    uint64_t bits = assay_payload_load(known, at);
    if (watch.kind == ASSAY_ORIGIN_INF && assay_payload_is_inf(known, bits))
      number_of_argument(argument);
    if (watch.kind == ASSAY_ORIGIN_NAN && assay_payload_is_nan(known, bits))
      assay_payload_store(known, at, assay_payload_put(known, bits, number_of_argument(argument)));
  }
}

static int number_in(assay_origin_format format, const void *element) {
  const assay_payload_format *known = assay_payload_of(format);
  return known != NULL ? assay_payload_get(known, assay_payload_load(known, element)) : 0;
}

bool assay_origin_is_unrelated(assay_origin_format format, const void *element) {
  return number_in(format, element) == ASSAY_ORIGIN_UNRELATED;
}

int assay_origin_number(assay_origin_format format, const void *element) {
  int number = number_in(format, element);
  return number == ASSAY_ORIGIN_UNRELATED ? 0 : number;
}
