// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A longer word keeps its HEAD first and TAIL last bytes: what comes after it is the message.
enum { LONGEST_WORD = 200, HEAD = 120, TAIL = 60, LONGEST_FILE = 220 };

// Inside a character of UTF-8, where no text may be cut.
static bool is_continuation(char byte) {
  return ((unsigned char)byte & 0xC0) == 0x80;
}

static void cut_long_words(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    size_t blanks = strspn(from, " \n"), length = strcspn(from + blanks, " \n");
    size_t head = length, tail = length; // where the kept parts end and begin
    if (length > LONGEST_WORD) {
      head = HEAD;
      tail = length - TAIL;
      while (head > 0 && is_continuation(from[blanks + head]))
        head--;
      while (tail < length && is_continuation(from[blanks + tail]))
        tail++;
    }
    memmove(to, from, blanks + head);
    to += blanks + head;
    from += blanks;
    if (length > LONGEST_WORD) {
      memcpy(to, "...", 3);
      to += 3;
      memmove(to, from + tail, length - tail);
      to += length - tail;
    }
    from += length;
  }
  *to = '\0';
}

static void fill_text(assay_error *err, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(err->text, sizeof err->text, format, arguments);
  if (length >= (int)sizeof err->text) {
    char *whole = malloc((size_t)length + 1);
    if (whole != NULL) {
      vsnprintf(whole, (size_t)length + 1, format, again);
      cut_long_words(whole);
      snprintf(err->text, sizeof err->text, "%s", whole);
    }
    free(whole);
  }
  va_end(again);
  cut_long_words(err->text);
}

assay_code assay_fail(assay_error *err, assay_code code, const char *format, ...) {
  err->code = code;
  err->where[0] = '\0';
  va_list arguments;
  va_start(arguments, format);
  fill_text(err, format, arguments);
  va_end(arguments);
  return code;
}

assay_code assay_fail_at(assay_error *err, assay_code code, const char *file, int line, int column,
                         const char *format, ...) {
  err->code = code;
  size_t length = strlen(file);
  const char *before = length > LONGEST_FILE ? "..." : "";
  if (length > LONGEST_FILE) // its end tells more than its beginning
    file += length - LONGEST_FILE;
  if (line > 0 && column > 0)
    snprintf(err->where, sizeof err->where, "%s%s:%d:%d", before, file, line, column);
  else if (line > 0)
    snprintf(err->where, sizeof err->where, "%s%s:%d", before, file, line);
  else
    snprintf(err->where, sizeof err->where, "%s%s", before, file);
  va_list arguments;
  va_start(arguments, format);
  fill_text(err, format, arguments);
  va_end(arguments);
  return code;
}
