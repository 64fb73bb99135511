// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool assay_terminal_is_live(FILE *stream) {
  const char *terminal = getenv("TERM");
  return isatty(fileno(stream)) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

bool assay_color_wanted(const char *when, FILE *stream) {
  if (strcmp(when, "auto") != 0)
    return strcmp(when, "always") == 0;
  const char *refused = getenv("NO_COLOR");
  return assay_terminal_is_live(stream) && (refused == NULL || *refused == '\0');
}
