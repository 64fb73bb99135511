// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/paragraph.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, HANGING = 2 };

// Characters of UTF-8.
static size_t width_of(const char *text, size_t bytes) {
  size_t width = 0;
  for (size_t i = 0; i < bytes; i++)
    width += ((unsigned char)text[i] & 0xC0) != 0x80;
  return width;
}

void assay_paragraph_print(const char *text, size_t column) {
  size_t indent = column > 0 ? column : HANGING, at = column;
  for (const char *word = text; *word != '\0';) {
    size_t bytes = strcspn(word, " "), width = width_of(word, bytes), blank = word != text;
    if (blank && at + 1 + width > WIDTH) {
      printf("\n%*s", (int)indent, "");
      at = indent;
    } else if (blank) {
      putchar(' ');
      at++;
    }
    printf("%.*s", (int)bytes, word);
    at += width;
    word += bytes;
    word += *word == ' ';
  }
  putchar('\n');
}
