// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/thresholds.h"

#include "results/compare/setting.h"

#include <fnmatch.h>
#include <string.h>

extern const char assay_thresholds_default_text[];

typedef struct section {
  struct section *next;
  const char *pattern;
  const assay_assignment *first;
  const assay_assignment **last;
} section;

struct assay_thresholds {
  assay_setting_values values; // what lines below no pattern say
  section *counters;           // what those say of counters: a section without a pattern
  section *first;              // below patterns, in order
  section **last;
  const assay_threshold_subject *subjects;
  const assay_threshold_subject **last_subject;
};

typedef struct thresholds_reader {
  assay_arena *arena;
  const assay_file *file;
  int line;
  assay_thresholds *thresholds;
  section *section; // NULL: below no pattern
  bool built_in;
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

static void append(section *to, const assay_assignment *line) {
  *to->last = line;
  to->last = (const assay_assignment **)&line->next;
}

static void keep_subject(thresholds_reader *reader, const char *counter) {
  if (reader->built_in)
    return;
  assay_threshold_subject *made = assay_arena_take(reader->arena, 1, sizeof *made);
  *made = (assay_threshold_subject){.file = reader->file->path,
                                    .line = reader->line,
                                    .pattern =
                                        reader->section != NULL ? reader->section->pattern : NULL,
                                    .counter = counter};
  *reader->thresholds->last_subject = made;
  reader->thresholds->last_subject = &made->next;
}

static assay_code read_setting(thresholds_reader *reader, const char *name, const char *text,
                               assay_error *err) {
  assay_assignment *line = assay_arena_take(reader->arena, 1, sizeof *line);
  TRY(assay_assignment_parse(reader->arena, reader->file->path, reader->line, name, text, line,
                             err));
  if (reader->section != NULL && assay_assignment_is_global(line))
    return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                         "%s stands for the whole comparison, not for the cases of a [PATTERN]",
                         name);
  if (line->counter != NULL)
    keep_subject(reader, line->counter);
  if (reader->section != NULL)
    append(reader->section, line);
  else if (assay_assignment_is_counter(line))
    append(reader->thresholds->counters, line);
  else
    assay_assignment_apply(line, &reader->thresholds->values);
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
    keep_subject(reader, NULL);
    return ASSAY_OK;
  }
  const char *equals = strchr(line, '=');
  if (equals == NULL)
    return assay_fail_at(err, ASSAY_INVALID, reader->file->path, reader->line, 0,
                         "expected SETTING = VALUE, found '%s'", line);
  return read_setting(reader, trim(reader->arena, line, (size_t)(equals - line)),
                      trim(reader->arena, equals + 1, strlen(equals + 1)), err);
}

static assay_code read_all(assay_arena *arena, const assay_file *file, bool built_in,
                           assay_thresholds *thresholds, assay_error *err) {
  thresholds_reader reader = {
      .arena = arena, .file = file, .thresholds = thresholds, .built_in = built_in};
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
  thresholds->last_subject = &thresholds->subjects;
  assay_file built_in = {.path = "default.thresholds",
                         .bytes = assay_thresholds_default_text,
                         .size = strlen(assay_thresholds_default_text)};
  TRY(read_all(arena, &built_in, true, thresholds, err));
  if (file != NULL)
    TRY(read_all(arena, file, false, thresholds, err));
  *out_thresholds = thresholds;
  return ASSAY_OK;
}

const assay_threshold_subject *assay_thresholds_subjects(const assay_thresholds *thresholds) {
  return thresholds->subjects;
}

assay_alarm_limits assay_thresholds_alarm(const assay_thresholds *thresholds) {
  return thresholds->values.alarm;
}

bool assay_pattern_matches(const char *pattern, const char *key) {
  size_t length = strlen(pattern);
  if (strncmp(pattern, key, length) == 0 && (key[length] == '\0' || key[length] == ' '))
    return true;
  return fnmatch(pattern, key, 0) == 0;
}

assay_limits assay_thresholds_of(const assay_thresholds *thresholds, const char *key) {
  assay_setting_values found = thresholds->values;
  for (const section *each = thresholds->first; each != NULL; each = each->next) {
    if (!assay_pattern_matches(each->pattern, key))
      continue;
    for (const assay_assignment *line = each->first; line != NULL; line = line->next)
      assay_assignment_apply(line, &found);
  }
  return found.limits;
}

// A line about all counters counts for those, too, that lines before it name.
static void apply_counter(const section *from, const char *name, assay_setting_values *into) {
  for (const assay_assignment *line = from->first; line != NULL; line = line->next)
    if (line->counter == NULL || strcmp(line->counter, name) == 0)
      assay_assignment_apply(line, into);
}

assay_counter_limits assay_thresholds_counter(const assay_thresholds *thresholds, const char *key,
                                              const char *name) {
  assay_setting_values found = thresholds->values;
  apply_counter(thresholds->counters, name, &found);
  for (const section *each = thresholds->first; each != NULL; each = each->next)
    if (assay_pattern_matches(each->pattern, key))
      apply_counter(each, name, &found);
  return found.counter;
}
