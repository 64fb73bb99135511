// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/message.h"

#include <stdarg.h>
#include <stdio.h>

void assay_message_error(const assay_error *err) {
  fprintf(stderr, "assay: %s%serror: %s\n", err->where, err->where[0] != '\0' ? ": " : "",
          err->text);
}

void assay_message_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("assay: note: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}
