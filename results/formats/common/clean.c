// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/record/printable.h"

#include <libxml/chvalid.h>
#include <libxml/xmlstring.h>

#include <string.h>

// Length of the UTF-8 sequence that starts here and may stand in XML 1.0, or 0.
static size_t sequence_length(const unsigned char *byte) {
  if (byte[0] < 0x80)
    return (byte[0] >= 0x20 && byte[0] != 0x7F) || byte[0] == '\t' || byte[0] == '\n';
  // libxml2 takes continuation bytes for first ones, and codes that are longer than need be.
  static const int least[] = {0, 0, 0x80, 0x800, 0x10000};
  int length = 4;
  int code = byte[0] >= 0xC0 ? xmlGetUTF8Char(byte, &length) : -1;
  return code >= 0 && code >= least[length] && xmlIsCharQ(code) && !assay_is_obeyed((unsigned)code)
             ? (size_t)length
             : 0;
}

char *assay_clean(assay_arena *arena, const char *text) {
  char *copy = assay_arena_string(arena, text != NULL ? text : "");
  for (char *at = copy; *at != '\0';) {
    size_t length = sequence_length((const unsigned char *)at);
    if (length == 0)
      *at = '?';
    at += length > 0 ? length : 1;
  }
  return copy;
}

char *assay_clean_line(assay_arena *arena, const char *text) {
  char *copy = assay_clean(arena, text);
  for (char *at = copy; *at != '\0'; at++)
    if (*at == '\n' || *at == '\t')
      *at = ' ';
  return copy;
}

// Behind so many characters, or at the end.
static const char *skip(const char *text, size_t characters) {
  for (; *text != '\0' && characters > 0; characters--)
    for (text++; ((unsigned char)*text & 0xC0) == 0x80;)
      text++;
  return text;
}

const char *assay_clip(assay_arena *arena, const char *text, size_t most) {
  const char *line = assay_clean_line(arena, text);
  size_t characters = 0;
  for (const char *at = line; *at != '\0'; at = skip(at, 1))
    characters++;
  if (characters <= most)
    return line;
  size_t head = (most - 3) * 2 / 3, tail = most - 3 - head;
  return assay_arena_format(arena, "%.*s...%s", (int)(skip(line, head) - line), line,
                            skip(line, characters - tail));
}
