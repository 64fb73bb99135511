// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/printable.h"

#include "compiler/base/text.h"

// A character, or a byte that is part of none.
typedef struct symbol {
  size_t length; // bytes
  unsigned code; // of the character, or of the byte
  bool whole;    // false: a byte that is no UTF-8
} symbol;

static symbol read_symbol(const unsigned char *at) {
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = at[0] < 0x80   ? 1
                  : at[0] < 0xC0 ? 0
                  : at[0] < 0xE0 ? 2
                  : at[0] < 0xF0 ? 3
                  : at[0] < 0xF8 ? 4
                                 : 0;
  const symbol broken = {.length = 1, .code = at[0]};
  if (length == 0)
    return broken;
  unsigned code = length == 1 ? at[0] : at[0] & (0x7FU >> length);
  for (size_t i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80) // the text's end too
      return broken;
    code = code << 6 | (at[i] & 0x3FU);
  }
  if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
    return broken;
  return (symbol){.length = length, .code = code, .whole = true};
}

bool assay_is_obeyed(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029;
}

static bool is_plain(const symbol *it) {
  return it->whole && !assay_is_obeyed(it->code);
}

static void print_escape(assay_text *text, const symbol *it) {
  if (it->code == '\n' || it->code == '\t' || it->code == '\r')
    assay_text_print(text, "\\%c", it->code == '\n' ? 'n' : it->code == '\t' ? 't' : 'r');
  else
    assay_text_print(text, it->whole && it->code > 0x7F ? "\\u%04x" : "\\x%02x", it->code);
}

bool assay_is_utf8(const char *text) {
  for (symbol next; *text != '\0'; text += next.length) {
    next = read_symbol((const unsigned char *)text);
    if (!next.whole)
      return false;
  }
  return true;
}

const char *assay_printable(assay_arena *arena, const char *text) {
  if (text == NULL)
    return "";
  const char *at = text;
  assay_text clean = {.arena = arena};
  for (const char *plain = text;;) { // where what is printed as it is begins
    symbol next = read_symbol((const unsigned char *)at);
    if (*at != '\0' && is_plain(&next)) {
      at += next.length;
      continue;
    }
    if (*at == '\0' && plain == text)
      return text;
    assay_text_print(&clean, "%.*s", (int)(at - plain), plain);
    if (*at == '\0')
      return assay_text_get(&clean);
    print_escape(&clean, &next);
    plain = at += next.length;
  }
}
