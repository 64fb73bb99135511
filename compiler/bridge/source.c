// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/source.h"
#include "compiler/base/text.h"

#include <ctype.h>
#include <string.h>

static bool is_split_line(const char *line, size_t length) {
  static const char marker[] = "// -----";
  size_t marker_length = sizeof marker - 1;
  if (length < marker_length || memcmp(line, marker, marker_length) != 0)
    return false;
  for (size_t i = marker_length; i < length; i++)
    if (!isspace((unsigned char)line[i]))
      return false;
  return true;
}

static assay_source_piece make_piece(const assay_file *file, size_t start, size_t end, int line,
                                     assay_arena *arena) {
  if (line == 1 && end == file->size)
    return (assay_source_piece){.text = file->bytes, .size = file->size, .line = 1};
  size_t empty = (size_t)line - 1, size = empty + end - start;
  char *text = assay_arena_take(arena, size + 1, 1);
  memset(text, '\n', empty);
  memcpy(text + empty, file->bytes + start, end - start);
  return (assay_source_piece){.text = text, .size = size, .line = line};
}

const assay_source_piece *assay_source_split(const assay_file *file, assay_arena *arena,
                                             int *out_count) {
  int count = 1;
  assay_lines lines = {.file = file};
  while (assay_lines_next(&lines))
    count += is_split_line(lines.start, lines.length);
  assay_source_piece *pieces = assay_arena_take(arena, (size_t)count, sizeof *pieces);
  *out_count = count;
  count = 0;
  size_t start = 0;
  int first = 1;
  lines = (assay_lines){.file = file};
  while (assay_lines_next(&lines)) {
    if (!is_split_line(lines.start, lines.length))
      continue;
    pieces[count++] = make_piece(file, start, (size_t)(lines.start - file->bytes), first, arena);
    start = lines.offset;
    first = lines.number + 1;
  }
  pieces[count] = make_piece(file, start, file->size, first, arena);
  return pieces;
}

static const char *find(const char *text, size_t size, const char *what) {
  size_t length = strlen(what);
  for (size_t i = 0; i + length <= size; i++)
    if (text[i] == what[0] && memcmp(text + i, what, length) == 0)
      return text + i;
  return NULL;
}

// The last one, for a module may mention one in a string or a comment.
static const char *find_last(const char *text, size_t size, const char *what) {
  size_t length = strlen(what);
  for (size_t i = size < length ? 0 : size - length + 1; i > 0; i--)
    if (memcmp(text + i - 1, what, length) == 0)
      return text + i - 1;
  return NULL;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// MLIR's string literal from behind its opening quote: \n, \t, \XX and the character itself.
static const char *unquote(const char *at, const char *end, assay_arena *arena) {
  assay_text text = {.arena = arena};
  for (; at < end && *at != '"'; at++) {
    char c = *at;
    if (c == '\\' && at + 1 < end) {
      c = *++at;
      int high = hex_digit(c), low = at + 1 < end ? hex_digit(at[1]) : -1;
      if (high >= 0 && low >= 0) {
        c = (char)(high * 16 + low);
        at++;
      } else if (c == 'n' || c == 't') {
        c = c == 'n' ? '\n' : '\t';
      }
    }
    assay_text_append(&text, &c, 1);
  }
  return at < end ? assay_text_get(&text) : NULL;
}

const char *assay_source_reproducer(const char *text, size_t size, assay_arena *arena) {
  const char *end = text + size;
  const char *at = find_last(text, size, "{-#");
  static const char *const keys[] = {"external_resources", "mlir_reproducer", "pipeline", ":"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0] && at != NULL; i++) {
    at = find(at, (size_t)(end - at), keys[i]);
    at = at == NULL ? NULL : at + strlen(keys[i]);
  }
  while (at != NULL && at < end && isspace((unsigned char)*at))
    at++;
  return at != NULL && at < end && *at == '"' ? unquote(at + 1, end, arena) : NULL;
}
