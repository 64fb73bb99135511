// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/message.h"

#include "compiler/base/arena.h"
#include "results/record/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Errors quote files and programs: nothing of that is obeyed by a terminal. Messages may have
// lines.
static void put(const char *text) {
  assay_arena *arena = assay_arena_create();
  for (const char *line = text; line != NULL;) {
    const char *end = strchr(line, '\n');
    size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
    fputs(assay_printable(arena, assay_arena_bytes(arena, line, length)), stderr);
    if (end != NULL)
      fputc('\n', stderr);
    line = end != NULL ? end + 1 : NULL;
  }
  assay_arena_destroy(arena);
}

void assay_message_error(const assay_error *err) {
  fputs("assay: ", stderr);
  put(err->where);
  fputs(err->where[0] != '\0' ? ": error: " : "error: ", stderr);
  put(err->text);
  fputc('\n', stderr);
}

void assay_message_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("assay: note: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
