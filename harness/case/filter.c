// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/suite.h"

#include "harness/case/words.h"

#include <assert.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 2048 }; // of a key or pattern that is matched by glob, with its '\0'

// A record's key, or a case line where data and backend are NULL.
typedef struct record_name {
  const char *line, *data, *backend;
} record_name;

// The value of a word NAME=VALUE, if that is its name; length 0 otherwise.
static assay_word value_of(assay_word word, const char *name) {
  size_t length = strlen(name);
  if (word.length <= length || memcmp(word.start, name, length) != 0 || word.start[length] != '=')
    return (assay_word){.start = word.start, .length = 0};
  return (assay_word){.start = word.start + length + 1, .length = word.length - length - 1};
}

// The value that the pattern or line gives to a key; length 0 where it gives none.
static assay_word find_value(const char *line, const char *end, const char *name) {
  for (;;) {
    assay_word word = assay_word_next(&line, end);
    assay_word value = value_of(word, name);
    if (word.length == 0 || value.length > 0)
      return value;
  }
}

static bool list_holds(assay_word list, assay_word value) {
  const char *at = list.start, *end = list.start + list.length;
  while (at <= end) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    assay_word item = {.start = at, .length = (size_t)((comma != NULL ? comma : end) - at)};
    if (assay_word_equal(item, value))
      return true;
    at += item.length + 1;
  }
  return false;
}

// The first place in the pattern where that name and '=' stand as a word, after blanks or a glob's
// wildcards; its end where there is none.
static const char *find_name(const char *pattern, const char *name) {
  const char *at = strstr(pattern, name);
  while (at != NULL && at > pattern && strchr(" \t*?]", at[-1]) == NULL)
    at = strstr(at + 1, name);
  return at != NULL ? at : pattern + strlen(pattern);
}

// Where the part that is about the record, data= and backend=, begins; the pattern's end where
// there is none.
static const char *end_of_case(const char *pattern) {
  const char *data = find_name(pattern, "data="), *backend = find_name(pattern, "backend=");
  return data < backend ? data : backend;
}

// The op that a line is of, or NULL.
static const assay_suite_op *find_op(const char *line) {
  const char *end = line + strlen(line);
  assay_word name = assay_word_next(&line, end);
  char text[64];
  snprintf(text, sizeof text, "%.*s", (int)name.length, name.start);
  return assay_suite_op_find(text);
}

// Whether the word gives a value to a key that canonical lines leave out with its default.
static bool gives_implied(const assay_suite_op *op, assay_word word) {
  for (const assay_key *key = op != NULL ? op->keys : NULL; key != NULL && key->name != NULL; key++)
    if (key->implied && value_of(word, key->name).length > 0)
      return true;
  return false;
}

// A prefix in whole words: blanks between words do not count. A whole line of another case, which
// only lacks an implied default, is none.
static bool matches_prefix(const char *pattern, const char *end, const char *key) {
  const assay_suite_op *op = find_op(key);
  const char *key_end = key + strlen(key);
  for (;;) {
    assay_word wanted = assay_word_next(&pattern, end), word = assay_word_next(&key, key_end);
    if (wanted.length == 0)
      return !gives_implied(op, word);
    if (!assay_word_equal(wanted, word))
      return false;
  }
}

// What a case line that leaves the key out says it is: the preset, for "=NAME" the line's own NAME.
static assay_word preset_of(const assay_key *key, const char *line) {
  if (key->preset == NULL)
    return (assay_word){.start = "", .length = 0};
  if (key->preset[0] == '=')
    return find_value(line, line + strlen(line), key->preset + 1);
  return (assay_word){.start = key->preset, .length = strlen(key->preset)};
}

// A whole case line, keys in any order and defaults left out, with or without data= and backend=.
static bool matches_line(const char *pattern, const char *end, const record_name *subject) {
  const char *line_end = subject->line + strlen(subject->line);
  const char *pattern_cursor = pattern, *line_cursor = subject->line;
  assay_word name = assay_word_next(&line_cursor, line_end);
  if (!assay_word_equal(assay_word_next(&pattern_cursor, end), name))
    return false;
  const assay_suite_op *op = find_op(subject->line);
  if (op == NULL)
    return false;
  size_t given = 1; // words of the pattern that are accounted for
  for (const assay_key *key = op->keys; key->name != NULL; key++) {
    assay_word wanted = find_value(pattern, end, key->name);
    given += wanted.length > 0;
    if (wanted.length == 0)
      wanted = preset_of(key, subject->line);
    assay_word value = find_value(subject->line, line_end, key->name);
    if (value.length == 0 && key->implied)
      value = preset_of(key, subject->line);
    if (!list_holds(wanted, value))
      return false;
  }
  const char *const values[] = {subject->data, subject->backend};
  for (int i = 0; i < 2; i++) {
    assay_word wanted = find_value(pattern, end, i == 0 ? "data" : "backend");
    given += wanted.length > 0;
    if (wanted.length > 0 && values[i] != NULL &&
        !list_holds(wanted, (assay_word){.start = values[i], .length = strlen(values[i])}))
      return false;
  }
  for (pattern_cursor = pattern; assay_word_next(&pattern_cursor, end).length > 0;)
    given--; // a word that is no key, or a key given twice, leaves it below 0
  return given == 0;
}

static bool matches_glob(const char *pattern, const char *end, const char *line, const char *key) {
  char glob[LONGEST];
  if (end - pattern >= LONGEST)
    return false;
  snprintf(glob, sizeof glob, "%.*s", (int)(end - pattern), pattern);
  return fnmatch(glob, line, 0) == 0 || fnmatch(glob, key, 0) == 0;
}

// Whether the pattern matches the record; where the subject is a case line, whether it matches some
// of its records.
static bool matches(const char *pattern, const record_name *subject) {
  char key[LONGEST];
  const char *end = pattern + strlen(pattern);
  if (subject->data == NULL) {
    snprintf(key, sizeof key, "%s", subject->line);
    end = end_of_case(pattern);
    while (end > pattern && (end[-1] == ' ' || end[-1] == '\t'))
      end--;
  } else {
    snprintf(key, sizeof key, "%s data=%s backend=%s", subject->line, subject->data,
             subject->backend);
  }
  const char *cursor = pattern;
  if (assay_word_next(&cursor, end).length == 0)
    return false; // a variable that is empty in a script must not select everything
  if (assay_word_is_glob((assay_word){.start = pattern, .length = (size_t)(end - pattern)}))
    return matches_glob(pattern, end, subject->line, key);
  return matches_prefix(pattern, end, key) || matches_line(pattern, end, subject);
}

bool assay_filter_selects(const assay_filter *filter, const char *line, const char *data,
                          const char *backend) {
  assert((data == NULL) == (backend == NULL));
  const record_name subject = {.line = line, .data = data, .backend = backend};
  bool any_includes = false, included = false;
  for (size_t i = 0; i < filter->count; i++) {
    const char *pattern = filter->patterns[i];
    if (pattern[0] != '!') {
      any_includes = true;
      included = included || matches(pattern, &subject);
      continue;
    }
    // What excludes some records of a case line does not exclude them all.
    pattern++;
    bool of_some = data == NULL && *end_of_case(pattern) != '\0';
    if (!of_some && matches(pattern, &subject))
      return false;
  }
  return included || !any_includes;
}
