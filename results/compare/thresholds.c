// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/thresholds.h"

#include "compiler/base/text.h"

#include <fnmatch.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern const char assay_thresholds_default_text[];

// Everything that a file sets, in one place.
typedef struct values {
  assay_alarm_limits alarm;
  assay_limits limits;
  assay_counter_limits counter;
} values;

typedef enum setting_kind {
  SETTING_PERCENT, // double, relative, from 0
  SETTING_RATE,    // the same, above 0 and below 50 %
  SETTING_NUMBER,  // double, from 0
  SETTING_FACTOR,  // double, above 1
  SETTING_YES_NO,  // bool
  SETTING_COUNTER, // assay_counter_gate
} setting_kind;

typedef struct setting {
  const char *name;
  setting_kind kind;
  size_t offset; // in values
} setting;

#define AS(kind, field) SETTING_##kind, offsetof(values, field)

static const setting settings[] = {
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
    {"vanished.gate", AS(YES_NO, limits.vanished_gate)},
    {"counter.effect", AS(PERCENT, counter.effect)},
    {"counter.gate", AS(COUNTER, counter.gate)},
};

enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

// One line of a file.
typedef struct assignment {
  const struct assignment *next;
  const setting *set;
  const char *counter; // "counter.NAME.gate" is about it; NULL: about all
  union {
    double number;
    bool yes;
    assay_counter_gate gate;
  } value;
} assignment;

typedef struct section {
  struct section *next;
  const char *pattern;
  const assignment *first;
  const assignment **last;
} section;

struct assay_thresholds {
  values values;     // what lines below no pattern say
  section *counters; // what those say of counters: a section without a pattern
  section *first;    // below patterns, in order
  section **last;
};

typedef struct thresholds_reader {
  assay_arena *arena;
  const assay_file *file;
  int line;
  assay_thresholds *thresholds;
  section *section; // NULL: below no pattern
} thresholds_reader;

static section *section_make(assay_arena *arena, const char *pattern) {
  section *made = assay_arena_take(arena, 1, sizeof *made);
  made->pattern = pattern;
  made->last = &made->first;
  return made;
}

static const char *trim(assay_arena *arena, const char *text, size_t length) {
  while (length > 0 && strchr(" \t", text[0]) != NULL) {
    text++;
    length--;
  }
  while (length > 0 && strchr(" \t", text[length - 1]) != NULL)
    length--;
  return assay_arena_bytes(arena, text, length);
}

static assay_code fail_unknown(const thresholds_reader *reader, const char *name,
                               assay_error *err) {
  const char *names[SETTING_COUNT];
  for (size_t i = 0; i < SETTING_COUNT; i++)
    names[i] = settings[i].name;
  const char *nearest = assay_nearest(name, names, SETTING_COUNT);
  return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                       "unknown setting '%s'%s%s%s", name,
                       nearest != NULL ? "; did you mean '"
                                       : "; those there are stand in "
                                         "results/compare/default.thresholds",
                       nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

// The setting of that name; of "counter.NAME.gate", that of "counter.gate" and NAME.
static const setting *find(assay_arena *arena, const char *name, const char **out_counter) {
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

static assay_code fail_value(const thresholds_reader *reader, const char *name,
                             const char *expected, const char *found, assay_error *err) {
  return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                       "%s: expected %s, found '%s'", name, expected, found);
}

static bool parse_number(const char *text, bool percent, double *out_number) {
  char *end;
  if (strspn(text, "0123456789.") == 0) // no sign, no "inf", no "nan"
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

static assay_code parse_value(const thresholds_reader *reader, const char *name, const char *text,
                              assignment *into, assay_error *err) {
  double number = 0;
  switch (into->set->kind) {
  case SETTING_PERCENT:
  case SETTING_RATE:
    if (!parse_number(text, true, &number))
      return fail_value(reader, name, "a percentage such as 1 %", text, err);
    if (into->set->kind == SETTING_RATE && (number <= 0 || number >= 50))
      return fail_value(reader, name, "a percentage above 0 and below 50", text, err);
    into->value.number = number / 100;
    return ASSAY_OK;
  case SETTING_NUMBER:
  case SETTING_FACTOR:
    if (!parse_number(text, false, &number))
      return fail_value(reader, name, "a number such as 0.5", text, err);
    if (into->set->kind == SETTING_FACTOR && number <= 1)
      return fail_value(reader, name, "a factor above 1", text, err);
    into->value.number = number;
    return ASSAY_OK;
  case SETTING_YES_NO:
    into->value.yes = strcmp(text, "yes") == 0;
    if (!into->value.yes && strcmp(text, "no") != 0)
      return fail_value(reader, name, "yes or no", text, err);
    return ASSAY_OK;
  case SETTING_COUNTER:
    if (!parse_counter_gate(text, &into->value.gate))
      return fail_value(reader, name, "more, less, change or no", text, err);
    return ASSAY_OK;
  }
  return ASSAY_OK;
}

static void apply(const assignment *line, values *into) {
  char *field = (char *)into + line->set->offset;
  if (line->set->kind == SETTING_YES_NO)
    memcpy(field, &line->value.yes, sizeof line->value.yes);
  else if (line->set->kind == SETTING_COUNTER)
    memcpy(field, &line->value.gate, sizeof line->value.gate);
  else
    memcpy(field, &line->value.number, sizeof line->value.number);
}

static void append(section *to, const assignment *line) {
  *to->last = line;
  to->last = (const assignment **)&line->next;
}

static assay_code read_setting(thresholds_reader *reader, const char *name, const char *text,
                               assay_error *err) {
  assignment *line = assay_arena_take(reader->arena, 1, sizeof *line);
  line->set = find(reader->arena, name, &line->counter);
  if (line->set == NULL)
    return fail_unknown(reader, name, err);
  TRY(parse_value(reader, name, text, line, err));
  if (reader->section != NULL && line->set->offset < offsetof(values, limits))
    return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                         "%s stands for the whole comparison, not for the cases of a [PATTERN]",
                         name);
  if (reader->section != NULL)
    append(reader->section, line);
  else if (strncmp(line->set->name, "counter.", strlen("counter.")) == 0)
    append(reader->thresholds->counters, line);
  else
    apply(line, &reader->thresholds->values);
  return ASSAY_OK;
}

static assay_code read_line(thresholds_reader *reader, const char *text, size_t length,
                            assay_error *err) {
  const char *comment = memchr(text, '#', length);
  const char *line = trim(reader->arena, text, comment != NULL ? (size_t)(comment - text) : length);
  size_t size = strlen(line);
  if (size == 0)
    return ASSAY_OK;
  if (line[0] == '[') {
    if (line[size - 1] != ']' || size == 2)
      return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                           "expected [PATTERN], found '%s'", line);
    reader->section = section_make(reader->arena, trim(reader->arena, line + 1, size - 2));
    *reader->thresholds->last = reader->section;
    reader->thresholds->last = &reader->section->next;
    return ASSAY_OK;
  }
  const char *equals = strchr(line, '=');
  if (equals == NULL)
    return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                         "expected SETTING = VALUE, found '%s'", line);
  return read_setting(reader, trim(reader->arena, line, (size_t)(equals - line)),
                      trim(reader->arena, equals + 1, strlen(equals + 1)), err);
}

static assay_code read_all(assay_arena *arena, const assay_file *file, assay_thresholds *thresholds,
                           assay_error *err) {
  thresholds_reader reader = {.arena = arena, .file = file, .thresholds = thresholds};
  assay_lines lines = {.file = file};
  while (assay_lines_next(&lines)) {
    reader.line = lines.number;
    if (memchr(lines.start, '\0', lines.length) != NULL)
      return assay_fail_at(err, ASSAY_INVALID, file->path, lines.number, 0,
                           "expected text, found a zero byte");
    TRY(read_line(&reader, lines.start, lines.length, err));
  }
  return ASSAY_OK;
}

assay_code assay_thresholds_read(assay_arena *arena, const assay_file *file,
                                 const assay_thresholds **out_thresholds, assay_error *err) {
  assay_thresholds *thresholds = assay_arena_take(arena, 1, sizeof *thresholds);
  thresholds->counters = section_make(arena, NULL);
  thresholds->last = &thresholds->first;
  assay_file built_in = {.path = "default.thresholds",
                         .bytes = assay_thresholds_default_text,
                         .size = strlen(assay_thresholds_default_text)};
  TRY(read_all(arena, &built_in, thresholds, err));
  if (file != NULL)
    TRY(read_all(arena, file, thresholds, err));
  *out_thresholds = thresholds;
  return ASSAY_OK;
}

assay_alarm_limits assay_thresholds_alarm(const assay_thresholds *thresholds) {
  return thresholds->values.alarm;
}

static bool matches(const char *pattern, const char *key) {
  size_t length = strlen(pattern);
  if (strncmp(pattern, key, length) == 0 && (key[length] == '\0' || key[length] == ' '))
    return true;
  return fnmatch(pattern, key, 0) == 0;
}

assay_limits assay_thresholds_of(const assay_thresholds *thresholds, const char *key) {
  values found = thresholds->values;
  for (const section *each = thresholds->first; each != NULL; each = each->next) {
    if (!matches(each->pattern, key))
      continue;
    for (const assignment *line = each->first; line != NULL; line = line->next)
      apply(line, &found);
  }
  return found.limits;
}

// A line about all counters counts for those, too, that lines before it name.
static void apply_counter(const section *from, const char *name, values *into) {
  for (const assignment *line = from->first; line != NULL; line = line->next)
    if (line->counter == NULL || strcmp(line->counter, name) == 0)
      apply(line, into);
}

assay_counter_limits assay_thresholds_counter(const assay_thresholds *thresholds, const char *key,
                                              const char *name) {
  values found = thresholds->values;
  apply_counter(thresholds->counters, name, &found);
  for (const section *each = thresholds->first; each != NULL; each = each->next)
    if (matches(each->pattern, key))
      apply_counter(each, name, &found);
  return found.counter;
}
