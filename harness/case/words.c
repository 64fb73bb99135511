// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/words.h"

#include "compiler/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// After the closing quote of the string that opens at `quote`, or NULL where it is not closed.
static const char *after_quoted(const char *quote, const char *end) {
  const char *at = quote + 1;
  while (at < end && *at != '"')
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end ? at + 1 : NULL;
}

assay_code assay_line_open(const char *file, int number, const char *text, size_t length,
                           assay_line *out_line, assay_error *err) {
  *out_line = (assay_line){.file = file, .number = number, .start = text, .end = text + length};
  for (const char *at = text; at < text + length; at++)
    if (((unsigned char)*at < ' ' && !is_blank(*at)) || *at == '\x7f')
      return assay_line_fail(err, out_line, at, "unexpected byte 0x%02x", (unsigned char)*at);
  for (const char *at = text; at < out_line->end;) {
    if (*at == '#') {
      out_line->end = at;
    } else if (*at == '"') {
      const char *after = after_quoted(at, out_line->end);
      if (after == NULL)
        return assay_line_fail(err, out_line, at, "this quote is not closed");
      at = after;
    } else {
      at++;
    }
  }
  return ASSAY_OK;
}

assay_code assay_line_fail(assay_error *err, const assay_line *line, const char *at,
                           const char *format, ...) {
  char text[sizeof err->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  // A line that stands in no file is its own first line.
  return assay_fail_at(err, ASSAY_INVALID, line->file, line->number > 0 ? line->number : 1,
                       (int)(at - line->start) + 1, "%s", text);
}

assay_word assay_word_next(const char **cursor, const char *end) {
  const char *at = *cursor;
  while (at < end && is_blank(*at))
    at++;
  assay_word word = {.start = at};
  while (at < end && !is_blank(*at)) {
    const char *after = *at == '"' ? after_quoted(at, end) : NULL;
    at = after != NULL ? after : at + 1;
  }
  word.length = (size_t)(at - word.start);
  *cursor = at;
  return word;
}

bool assay_word_equal(assay_word a, assay_word b) {
  return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

bool assay_word_is(assay_word word, const char *string) {
  return assay_word_equal(word, (assay_word){.start = string, .length = strlen(string)});
}

bool assay_word_is_glob(assay_word word) {
  for (size_t i = 0; i < word.length; i++)
    if (strchr("*?[", word.start[i]) != NULL)
      return true;
  return false;
}

const char *assay_word_unquote(assay_arena *arena, assay_word word) {
  const char *end = word.start + word.length;
  if (word.length < 3 || word.start[0] != '"' || after_quoted(word.start, end) != end)
    return NULL;
  char *text = assay_arena_take(arena, word.length, 1);
  size_t length = 0;
  for (const char *at = word.start + 1; at < end - 1; at++) {
    if (*at == '\\' && (at[1] == '"' || at[1] == '\\'))
      at++;
    text[length++] = *at;
  }
  return text;
}

assay_code assay_op_parse(assay_arena *arena, const assay_line *line, assay_word name,
                          const assay_suite_op **out_op, assay_error *err) {
  const char *text = assay_arena_bytes(arena, name.start, name.length);
  *out_op = assay_suite_op_find(text);
  if (*out_op != NULL)
    return ASSAY_OK;
  const char *nearest = assay_suite_op_nearest(arena, text);
  if (nearest == NULL)
    return assay_line_fail(err, line, name.start, "unknown op '%s'; 'assay list ops' names them",
                           text);
  return assay_line_fail(err, line, name.start, "unknown op '%s'; did you mean '%s'?", text,
                         nearest);
}

const char *assay_word_suggest(assay_arena *arena, const char *word, const char *const names[],
                               size_t count) {
  // Any letter is near to any other, and meant by nobody.
  const char *nearest = strlen(word) > 1 ? assay_nearest(word, names, count) : NULL;
  if (nearest != NULL)
    return assay_arena_format(arena, "did you mean '%s'?", nearest);
  assay_text text = {.arena = arena};
  assay_text_print(&text, "known: ");
  for (size_t i = 0; i < count; i++)
    assay_text_print(&text, "%s%s", i > 0 ? ", " : "", names[i]);
  return assay_text_get(&text);
}
