// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Origins in words.
#include "compiler/base/text.h"
#include "harness/ledger/origin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Whole numbers below it are written without an exponent.
static const double SHORT = 1e7;

const char *assay_origin_kind_name(assay_origin_kind kind) {
  static const char *const names[] = {[ASSAY_ORIGIN_NONE] = "",
                                      [ASSAY_ORIGIN_NAN] = "nan",
                                      [ASSAY_ORIGIN_INF] = "inf",
                                      [ASSAY_ORIGIN_LOSS] = "loss"};
  return names[kind];
}

const char *assay_origin_number_text(assay_arena *arena, assay_origin_format format, double value) {
  if (!isfinite(value))
    return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  bool is_narrow = format >= ASSAY_ORIGIN_F16 && format <= ASSAY_ORIGIN_F32;
  const char *made = "";
  for (int digits = 1; digits <= 17; digits++) {
    made = assay_arena_format(arena, "%.*g", digits, value);
    bool same = is_narrow ? strtof(made, NULL) == (float)value : strtod(made, NULL) == value;
    if (same)
      break;
  }
  const char *whole = assay_arena_format(arena, "%.0f", value);
  bool is_short = fabs(value) < SHORT && strtod(whole, NULL) == value;
  return is_short ? whole : made;
}

const char *assay_origin_value_text(assay_arena *arena, const assay_origin_value *value) {
  if (value->count == 1)
    return assay_origin_number_text(arena, value->format, value->numbers[0]);
  assay_text text = {.arena = arena};
  for (int i = 0; i < value->shown; i++)
    assay_text_print(&text, "%s%s", i == 0 ? "[" : ", ",
                     assay_origin_number_text(arena, value->format, value->numbers[i]));
  assay_text_print(&text, value->shown < value->count ? ", ...]" : "]");
  return assay_text_get(&text);
}

const char *assay_origin_place_text(assay_arena *arena, const assay_origin_answer *origin) {
  if (origin->file[0] != '\0')
    return assay_arena_format(arena, " at %s:%d:%d", origin->file, origin->line, origin->column);
  if (origin->label != NULL && origin->label[0] != '\0')
    return assay_arena_format(arena, " at \"%s\"", origin->label);
  return origin->lowered[0] != '\0' ? " at an unknown place" : "";
}

// Arithmetic on numbers becomes one operation of the same sense.
static bool tells_more(const assay_origin_answer *origin) {
  static const char *const plain[] = {"arith.", "llvm.", "math."};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strncmp(origin->name, plain[i], strlen(plain[i])) == 0)
      return false;
  return origin->lowered[0] != '\0' && strcmp(origin->lowered, origin->name) != 0;
}

static void print_loss(assay_text *text, const assay_origin_answer *origin) {
  assay_text_print(text, ", with more digits");
  for (int i = 0; i < origin->operand_count; i++)
    assay_text_print(text, "%s%s", i == 0 ? " " : ", ", origin->exact_operands[i]);
  assay_text_print(text, ": %s; %.3g of %d bits lost, %.3g in all", origin->exact_result,
                   origin->lost, origin->bits, origin->element_lost);
}

const char *assay_origin_sentence(assay_arena *arena, const assay_ledger_answer *answer,
                                  const assay_origin_answer *origin) {
  const char *kind = assay_origin_kind_name(origin->kind);
  if (origin->none != NULL)
    return assay_arena_format(arena, "%s origin: none: %s", kind, origin->none);
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%s origin: %s%s", kind, origin->name,
                   assay_origin_place_text(arena, origin));
  if (tells_more(origin))
    assay_text_print(&text, ", in its %s", origin->lowered);
  for (int i = 0; i < origin->operand_count; i++)
    assay_text_print(&text, "%s%s", i == 0 ? " of " : ", ", origin->operands[i]);
  assay_text_print(&text, ": %s", origin->result);
  if (origin->kind == ASSAY_ORIGIN_LOSS)
    print_loss(&text, origin);
  assay_text_print(
      &text, origin->certain ? ", seen in %s" : ", the first that was made; %s may have another",
      origin->element);
  if (origin->data[0] != '\0')
    assay_text_print(&text, ", data set %s", origin->data);
  if (origin->row >= 0)
    assay_text_print(&text, ", after %d %s", answer->rows[origin->row].execution->n,
                     answer->rows[origin->row].execution->name);
  return assay_text_get(&text);
}
