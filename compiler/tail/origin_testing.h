// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: programs with the origin of a NaN or an infinity in their results.
#ifndef ASSAY_COMPILER_TAIL_ORIGIN_TESTING_H
#define ASSAY_COMPILER_TAIL_ORIGIN_TESTING_H

#include "compiler/base/text.h"
#include "compiler/tail/tail_testing.h"

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" // most programs need no passes

typedef struct program {
  const char *source; // its first line is line 1; the entry is main
  const char *origin; // of the NaN or infinity in its results: "fdiv 2: 0, 0"
  const char *passes; // (optional) before the tail
} program;

static inline void print_value(assay_text *text, const assay_origin_value *value) {
  for (int i = 0; i < value->shown; i++)
    assay_text_print(text, i == 0 ? "%.6g" : " %.6g",
                     isnan(value->numbers[i]) ? fabs(value->numbers[i]) : value->numbers[i]);
}

static inline const char *tell_op(assay_text *text, const assay_origin_op *op) {
  assay_text_print(text, "%s %d", op->lowered, op->line);
  return assay_text_get(text);
}

// "fdiv 2: 0, 0"
static inline const char *tell_event(const assay_tail_answer *answer,
                                     const assay_origin_event *event, assay_text *text) {
  tell_op(text, &answer->origin->ops[event->op]);
  for (int i = 0; i < event->operand_count; i++) {
    assay_text_print(text, i == 0 ? ": " : ", ");
    print_value(text, &event->operands[i]);
  }
  return assay_text_get(text);
}

// What the results of an answer are of; the test's own.
static const char *tell(const assay_tail_answer *answer, assay_arena *arena);

static inline bool holds_by(const program *of, assay_instrument instrument, assay_tail tail) {
  assay_arena *arena = assay_arena_create();
  const testing_request request = {.source = of->source,
                                   .passes = of->passes,
                                   .tail = tail,
                                   .instrument = instrument,
                                   .run = {.data = 1, .poison = 0x5A}};
  const assay_tail_answer *answer = testing_answer(&request, 1, &request.run);
  if (answer->status != ASSAY_TAIL_RAN || answer->outcomes[0].status != ASSAY_TAIL_RAN)
    fail_msg("%s\n%s%s", of->source, answer->reason, answer->outcomes[0].reason);
  const char *told = tell(answer, arena);
  bool same = strcmp(told, of->origin) == 0;
  if (!same)
    print_error("%s%s, not %s (tail %d)\n", of->source, told, of->origin, (int)tail);
  assay_arena_destroy(arena);
  return same;
}

static inline void expect(const program programs[], size_t count, assay_instrument instrument) {
  bool all = true;
  for (size_t i = 0; i < count; i++)
    for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++)
      all &= holds_by(&programs[i], instrument, (assay_tail)tail);
  assert_true(all);
}

#define MAIN "func.func @main() -> "
#define ZERO "%0 = arith.constant 0.0 : f32\n"   // line 2, where MAIN "... {\n" is line 1
#define BIG "%0 = arith.constant 3.0e38 : f32\n" // the same
#define END(value, type) "return " value " : " type "\n}\n"

#endif
