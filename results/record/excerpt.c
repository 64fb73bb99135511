// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/excerpt.h"
#include "compiler/base/file.h"
#include "compiler/base/text.h"

#include <stdbool.h>
#include <string.h>

enum { CONTEXT = 3 };

// A text as lines without their ends; a last line without an end counts.
typedef struct lines {
  const char **start; // count + 1 of them: the last is behind the text
  size_t count;
} lines;

static lines split(assay_arena *arena, const char *text) {
  size_t ends = 0;
  for (const char *at = text; *at != '\0'; at++)
    ends += *at == '\n';
  lines made = {.start = assay_arena_take(arena, ends + 2, sizeof *made.start)};
  const char *at = text;
  while (*at != '\0') {
    made.start[made.count++] = at;
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  made.start[made.count] = at;
  return made;
}

static size_t length_of(const lines *of, size_t line) {
  return (size_t)(of->start[line + 1] - of->start[line]);
}

static bool is_same(const lines *a, size_t line_a, const lines *b, size_t line_b) {
  return length_of(a, line_a) == length_of(b, line_b) &&
         memcmp(a->start[line_a], b->start[line_b], length_of(a, line_a)) == 0;
}

// How many bytes of a text fit without cutting a UTF-8 sequence.
static size_t whole_bytes(const char *text, size_t most) {
  while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80)
    most--;
  return most;
}

static void count_left(assay_text *text, size_t count) {
  if (count > 0)
    assay_text_print(text, "// ... %zu more line%s\n", count, count == 1 ? "" : "s");
}

// Lines from .. to - 1, as many as there is room for; room is left for the counts.
static const char *print(assay_arena *arena, const lines *of, size_t from, size_t to) {
  enum { COUNT_BYTES = 48, ROOM = ASSAY_EXCERPT_BYTES - 2 * COUNT_BYTES };
  assay_text text = {.arena = arena};
  count_left(&text, from);
  size_t line = from, used = 0;
  for (; line < to && line - from < ASSAY_EXCERPT_LINES - 2; line++) {
    size_t length = length_of(of, line);
    if (used + length > ROOM) {
      if (line == from) { // one line alone is too long: its start
        assay_text_append(&text, of->start[line], whole_bytes(of->start[line], ROOM - 8));
        assay_text_print(&text, " ...\n");
        line++;
      }
      break;
    }
    assay_text_append(&text, of->start[line], length);
    used += length;
  }
  if (text.length > 0 && text.data[text.length - 1] != '\n')
    assay_text_print(&text, "\n");
  count_left(&text, of->count - line);
  return assay_text_get(&text);
}

void assay_excerpt_of_change(assay_arena *arena, const char *before, const char *after,
                             const char **out_before, const char **out_after) {
  lines left = split(arena, before), right = split(arena, after);
  size_t shorter = left.count < right.count ? left.count : right.count;
  size_t head = 0, tail = 0;
  while (head < shorter && is_same(&left, head, &right, head))
    head++;
  while (tail < shorter - head &&
         is_same(&left, left.count - 1 - tail, &right, right.count - 1 - tail))
    tail++;
  size_t from = head > CONTEXT ? head - CONTEXT : 0;
  if (head == shorter && left.count == right.count)
    from = 0;
  size_t behind = tail > CONTEXT ? tail - CONTEXT : 0;
  *out_before = print(arena, &left, from, left.count - behind);
  *out_after = print(arena, &right, from, right.count - behind);
}

static const char *read_module(assay_arena *arena, const char *folder, const char *name) {
  assay_file file;
  assay_error ignored; // nobody promised that it is there
  const char *path = assay_arena_format(arena, "%s/%s", folder, name);
  return assay_file_read(arena, path, &file, &ignored) == ASSAY_OK ? file.bytes : NULL;
}

void assay_excerpt_of_bundle(assay_arena *arena, const char *folder, const char **out_before,
                             const char **out_after) {
  const char *before = read_module(arena, folder, "before.mlir");
  const char *after = before != NULL ? read_module(arena, folder, "after.mlir") : NULL;
  *out_before = *out_after = NULL;
  if (before == NULL)
    return;
  assay_excerpt_of_change(arena, before, after != NULL ? after : "", out_before, out_after);
  if (after == NULL)
    *out_after = NULL;
}
