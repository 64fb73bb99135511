// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/error.h"

#include <stdarg.h>
#include <stdio.h>

assay_code assay_fail(assay_error *err, assay_code code, const char *format, ...) {
  err->code = code;
  err->where[0] = '\0';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(err->text, sizeof err->text, format, arguments);
  va_end(arguments);
  return code;
}

assay_code assay_fail_at(assay_error *err, assay_code code, const char *file, int line, int column,
                         const char *format, ...) {
  err->code = code;
  if (line > 0 && column > 0)
    snprintf(err->where, sizeof err->where, "%s:%d:%d", file, line, column);
  else if (line > 0)
    snprintf(err->where, sizeof err->where, "%s:%d", file, line);
  else
    snprintf(err->where, sizeof err->where, "%s", file);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(err->text, sizeof err->text, format, arguments);
  va_end(arguments);
  return code;
}
