// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/param.h"

#include "compiler/base/text.h"

#include <string.h>

enum { MAX_NAMES = 48, MAX_DIM = 0x7fffffff };

// The words that a DTYPE or CHOICE key takes.
static size_t list_words(assay_arena *arena, const assay_key *key,
                         const char *out_names[MAX_NAMES]) {
  size_t count = 0;
  if (key->choices == NULL) {
    for (; count < ASSAY_DTYPE_COUNT; count++)
      out_names[count] = assay_dtype_get((assay_dtype)count)->name;
    return count;
  }
  for (const char *at = key->choices; count < MAX_NAMES;) {
    size_t length = strcspn(at, "|");
    out_names[count++] = assay_arena_bytes(arena, at, length);
    if (at[length] == '\0')
      break;
    at += length + 1;
  }
  return count;
}

// A whole number at *cursor, which moves past its digits; false where there is none or its
// magnitude is above limit.
static bool read_number(const char **cursor, const char *end, int64_t limit, int64_t *out_number) {
  const char *at = *cursor;
  bool negative = at < end && *at == '-';
  at += negative;
  const char *digits = at;
  int64_t number = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) {
    number = number * 10 + (*at - '0');
    if (number > limit)
      return false;
  }
  *cursor = at;
  *out_number = negative ? -number : number;
  return at > digits;
}

static bool read_size(assay_word word, int64_t *out_size) {
  const char *at = word.start, *end = word.start + word.length;
  return read_number(&at, end, ASSAY_MAX_SIZE, out_size) && at == end && *out_size >= 1;
}

static bool read_dims(assay_word word, assay_shape *out_dims) {
  const char *at = word.start, *end = word.start + word.length;
  *out_dims = (assay_shape){.rank = 0};
  while (out_dims->rank < ASSAY_MAX_RANK) {
    if (!read_number(&at, end, MAX_DIM, &out_dims->dim[out_dims->rank++]))
      return false;
    if (at == end)
      return true;
    if (*at++ != 'x')
      return false;
  }
  return false;
}

// A word that is none of the key's names.
static assay_code fail_unknown_value(assay_arena *arena, const assay_line *line, const char *op,
                                     const assay_key *key, assay_word word,
                                     const char *const names[], size_t count, assay_error *err) {
  const char *text = assay_arena_bytes(arena, word.start, word.length);
  assay_dtype dtype;
  if (key->kind == ASSAY_KEY_DTYPE && assay_dtype_parse(text, &dtype)) {
    assay_text known = {.arena = arena};
    for (size_t i = 0; i < count; i++)
      assay_text_print(&known, "%s%s", i > 0 ? ", " : "", names[i]);
    return assay_line_fail(err, line, word.start, "%s=%s: %s is defined for %s only", key->name,
                           text, op, assay_text_get(&known));
  }
  return assay_line_fail(err, line, word.start, "%s=%s: no such value; %s", key->name, text,
                         assay_word_suggest(arena, text, names, count));
}

assay_code assay_param_parse(assay_arena *arena, const assay_line *line, const char *op,
                             const assay_key *key, assay_word word, assay_param *out_param,
                             assay_error *err) {
  const char *text = assay_arena_bytes(arena, word.start, word.length);
  if (word.length == 0)
    return assay_line_fail(err, line, word.start, "key '%s' has an empty value", key->name);
  if (key->kind == ASSAY_KEY_SIZE) {
    if (!read_size(word, &out_param->size))
      return assay_line_fail(err, line, word.start, "%s=%s: expected a whole number from 1 to %d",
                             key->name, text, ASSAY_MAX_SIZE);
    return ASSAY_OK;
  }
  if (key->kind == ASSAY_KEY_DIMS) {
    if (!read_dims(word, &out_param->dims))
      return assay_line_fail(err, line, word.start,
                             "%s=%s: expected 1 to %d whole numbers joined by 'x'", key->name, text,
                             ASSAY_MAX_RANK);
    return ASSAY_OK;
  }
  const char *names[MAX_NAMES];
  size_t count = list_words(arena, key, names);
  for (size_t i = 0; i < count; i++) {
    if (!assay_word_is(word, names[i]))
      continue;
    if (key->kind == ASSAY_KEY_CHOICE)
      out_param->choice = names[i];
    else
      (void)assay_dtype_parse(names[i], &out_param->dtype);
    return ASSAY_OK;
  }
  return fail_unknown_value(arena, line, op, key, word, names, count, err);
}
