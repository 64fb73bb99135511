// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void reserve(assay_text *text, size_t more) {
  size_t needed = text->length + more + 1;
  if (needed <= text->capacity)
    return;
  size_t capacity = text->capacity < 128 ? 128 : text->capacity * 2;
  if (capacity < needed)
    capacity = needed;
  char *data = assay_arena_take(text->arena, capacity, 1);
  if (text->length > 0)
    memcpy(data, text->data, text->length);
  text->data = data;
  text->capacity = capacity;
}

void assay_text_append(assay_text *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length > 0)
    memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void assay_text_print(assay_text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

const char *assay_text_get(const assay_text *text) {
  return text->data != NULL ? text->data : "";
}

uint64_t assay_hash_bytes(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t assay_hash_string(const char *string) {
  return assay_hash_bytes(ASSAY_HASH_START, string, strlen(string));
}

enum { LONGEST_NAME = 63 };

// Edit distance with swaps of neighbours (optimal string alignment), rows kept on the stack.
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t rows[3][LONGEST_NAME + 1];
  size_t *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_length; j++)
    above[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
      if (above[j] + 1 < best)
        best = above[j] + 1;
      if (row[j - 1] + 1 < best)
        best = row[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      row[j] = best;
    }
    size_t *free_row = before;
    before = above;
    above = row;
    row = free_row;
  }
  return above[b_length];
}

const char *assay_nearest(const char *word, const char *const *names, size_t count) {
  size_t length = strlen(word);
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  if (length == 0 || length > LONGEST_NAME)
    return NULL;
  for (size_t i = 0; i < count; i++) {
    size_t name_length = strlen(names[i]);
    if (name_length > LONGEST_NAME)
      continue;
    size_t apart = distance(word, length, names[i], name_length);
    bool prefix = strncmp(word, names[i], length) == 0 || strncmp(word, names[i], name_length) == 0;
    size_t longer = length > name_length ? length : name_length;
    if (!prefix && apart > 1 + longer / 3)
      continue;
    if (apart < least) {
      least = apart;
      nearest = names[i];
    }
  }
  return nearest;
}

bool assay_text_equal(const char *a, const char *b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

void assay_text_quote(assay_text *text, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "%+,-./:=@_";
  if (*word != '\0' && word[strspn(word, plain)] == '\0') {
    assay_text_print(text, "%s", word);
    return;
  }
  assay_text_print(text, "'");
  for (const char *at = word; *at != '\0'; at++)
    if (*at == '\'')
      assay_text_print(text, "'\\''");
    else
      assay_text_append(text, at, 1);
  assay_text_print(text, "'");
}
