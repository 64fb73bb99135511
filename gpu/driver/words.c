// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cubin.h"

#include <string.h>

// The sequence that a terminal obeys after ESC: "[31m".
static const char *skip_escape(const char *at) {
  if (*at != '[')
    return at;
  at++;
  while (*at >= ' ' && *at < '@')
    at++;
  return *at >= '@' && *at <= '~' ? at + 1 : at;
}

void assay_words_clean(char *text) {
  char *to = text;
  for (const char *at = text; *at != '\0';) {
    char next = *at++;
    if (next == '\033')
      at = skip_escape(at);
    else if (next >= ' ' && next <= '~')
      *to++ = next;
    else if (next == '\t')
      *to++ = ' ';
    else if (next == '\n')
      *to++ = ';';
    else if (next != '\r' && (to == text || to[-1] != '?'))
      *to++ = '?';
  }
  while (to > text && strchr(" ;", to[-1]) != NULL)
    to--;
  *to = '\0';
}
