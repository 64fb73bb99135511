// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/setting.h"

#include "compiler/base/text.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum setting_kind {
  SETTING_PERCENT, // double, relative, from 0
  SETTING_RATE,    // the same, above 0 and below 50 %
  SETTING_NUMBER,  // double, from 0
  SETTING_FACTOR,  // double, above 1
  SETTING_YES_NO,  // bool
  SETTING_COUNTER, // assay_counter_gate
} setting_kind;

struct assay_setting {
  const char *name;
  setting_kind kind;
  size_t offset; // in assay_setting_values
};

#define AS(kind, field) SETTING_##kind, offsetof(assay_setting_values, field)

static const assay_setting settings[] = {
    {"alarm-rate", AS(RATE, alarm.alarm_rate)},
    {"row-alarm-rate", AS(RATE, alarm.row_alarm_rate)},
    {"peak-difference", AS(PERCENT, alarm.peak_difference)},
    {"run.paired.effect", AS(PERCENT, limits.run.paired.effect)},
    {"run.paired.same", AS(PERCENT, limits.run.paired.same)},
    {"run.unpaired.effect", AS(PERCENT, limits.run.unpaired.effect)},
    {"run.unpaired.same", AS(PERCENT, limits.run.unpaired.same)},
    {"run.gate", AS(YES_NO, limits.run.gate)},
    {"compile.paired.effect", AS(PERCENT, limits.compile.paired.effect)},
    {"compile.paired.same", AS(PERCENT, limits.compile.paired.same)},
    {"compile.unpaired.effect", AS(PERCENT, limits.compile.unpaired.effect)},
    {"compile.unpaired.same", AS(PERCENT, limits.compile.unpaired.same)},
    {"compile.gate", AS(YES_NO, limits.compile.gate)},
    {"margin.factor", AS(FACTOR, limits.margin_factor)},
    {"margin.floor", AS(NUMBER, limits.margin_floor)},
    {"margin.gate-above", AS(NUMBER, limits.margin_gate_above)},
    {"margin.gate", AS(YES_NO, limits.margin_gate)},
    {"verdict.gate", AS(YES_NO, limits.verdict_gate)},
    {"first-bad.gate", AS(YES_NO, limits.first_bad_gate)},
    {"new.gate", AS(YES_NO, limits.new_gate)},
    {"vanished.gate", AS(YES_NO, limits.vanished_gate)},
    {"vanished.kind.gate", AS(YES_NO, limits.vanished_kind_gate)},
    {"counter.effect", AS(PERCENT, counter.effect)},
    {"counter.gate", AS(COUNTER, counter.gate)},
};

enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

// The setting of that name; of "counter.NAME.gate", that of "counter.gate" and NAME.
static const assay_setting *find(assay_arena *arena, const char *name, const char **out_counter) {
  static const char start[] = "counter.";
  const char *end = strrchr(name, '.');
  *out_counter = NULL;
  if (strncmp(name, start, sizeof start - 1) == 0 && end > name + sizeof start - 1) {
    const char *counter = name + sizeof start - 1;
    *out_counter = assay_arena_bytes(arena, counter, (size_t)(end - counter));
    name = assay_arena_format(arena, "counter%s", end);
  }
  for (size_t i = 0; i < SETTING_COUNT; i++)
    if (strcmp(settings[i].name, name) == 0)
      return &settings[i];
  return NULL;
}

// For messages.
typedef struct place_of_line {
  const char *file;
  int line;
} place_of_line;

static assay_code fail_unknown(const place_of_line *at, const char *name, assay_error *err) {
  const char *names[SETTING_COUNT];
  for (size_t i = 0; i < SETTING_COUNT; i++)
    names[i] = settings[i].name;
  const char *nearest = assay_nearest(name, names, SETTING_COUNT);
  return assay_fail_at(err, ASSAY_INVALID, at->file, at->line, 0, "unknown setting '%s'%s%s%s",
                       name,
                       nearest != NULL ? "; did you mean '"
                                       : "; those there are stand in "
                                         "results/compare/default.thresholds",
                       nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static bool parse_number(const char *text, bool percent, double *out_number) {
  char *end;
  if (strspn(text, "0123456789.") == 0 || strpbrk(text, "xX") != NULL) // nor sign, "inf", "nan"
    return false;
  *out_number = strtod(text, &end);
  end += strspn(end, " \t");
  if (percent && *end++ != '%')
    return false;
  return *end == '\0' && isfinite(*out_number);
}

static bool parse_counter_gate(const char *text, assay_counter_gate *out_gate) {
  static const char *const words[] = {[ASSAY_COUNTER_NO] = "no",
                                      [ASSAY_COUNTER_MORE] = "more",
                                      [ASSAY_COUNTER_LESS] = "less",
                                      [ASSAY_COUNTER_CHANGE] = "change"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strcmp(text, words[i]) == 0) {
      *out_gate = (assay_counter_gate)i;
      return true;
    }
  }
  return false;
}

static assay_code fail_value(const place_of_line *at, const char *name, const char *expected,
                             const char *found, assay_error *err) {
  return assay_fail_at(err, ASSAY_INVALID, at->file, at->line, 0, "%s: expected %s, found '%s'",
                       name, expected, found);
}

static assay_code parse_value(const place_of_line *at, const char *name, const char *text,
                              assay_assignment *into, assay_error *err) {
  double number = 0;
  switch (into->setting->kind) {
  case SETTING_PERCENT:
  case SETTING_RATE:
    if (!parse_number(text, true, &number))
      return fail_value(at, name, "a percentage such as 1 %", text, err);
    if (into->setting->kind == SETTING_RATE && (number <= 0 || number >= 50))
      return fail_value(at, name, "a percentage above 0 and below 50", text, err);
    into->value.number = number / 100;
    return ASSAY_OK;
  case SETTING_NUMBER:
  case SETTING_FACTOR:
    if (!parse_number(text, false, &number))
      return fail_value(at, name, "a number such as 0.5", text, err);
    if (into->setting->kind == SETTING_FACTOR && number <= 1)
      return fail_value(at, name, "a factor above 1", text, err);
    into->value.number = number;
    return ASSAY_OK;
  case SETTING_YES_NO:
    into->value.yes = strcmp(text, "yes") == 0;
    if (!into->value.yes && strcmp(text, "no") != 0)
      return fail_value(at, name, "yes or no", text, err);
    return ASSAY_OK;
  case SETTING_COUNTER:
    if (!parse_counter_gate(text, &into->value.gate))
      return fail_value(at, name, "more, less, change or no", text, err);
    return ASSAY_OK;
  }
  return ASSAY_OK;
}

void assay_assignment_apply(const assay_assignment *assignment, assay_setting_values *into) {
  char *field = (char *)into + assignment->setting->offset;
  if (assignment->setting->kind == SETTING_YES_NO)
    memcpy(field, &assignment->value.yes, sizeof assignment->value.yes);
  else if (assignment->setting->kind == SETTING_COUNTER)
    memcpy(field, &assignment->value.gate, sizeof assignment->value.gate);
  else
    memcpy(field, &assignment->value.number, sizeof assignment->value.number);
}

assay_code assay_assignment_parse(assay_arena *arena, const char *file, int line, const char *name,
                                  const char *text, assay_assignment *out_assignment,
                                  assay_error *err) {
  const place_of_line at = {file, line};
  assay_assignment made = {.next = NULL};
  made.setting = find(arena, name, &made.counter);
  if (made.setting == NULL)
    return fail_unknown(&at, name, err);
  TRY(parse_value(&at, name, text, &made, err));
  *out_assignment = made;
  return ASSAY_OK;
}

bool assay_assignment_is_global(const assay_assignment *assignment) {
  return assignment->setting->offset < offsetof(assay_setting_values, limits);
}

bool assay_assignment_is_counter(const assay_assignment *assignment) {
  return assignment->setting->offset >= offsetof(assay_setting_values, counter);
}
