// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/gaps.h"

#include "harness/case/words.h"

#include <string.h>

// Splits PATTERN KIND "REASON"; false where the line has no words at all.
static assay_code parse_row(assay_arena *arena, const assay_line *line, assay_gap *out_gap,
                            bool *out_found, assay_error *err) {
  const char *cursor = line->start;
  assay_word first = assay_word_next(&cursor, line->end), before = first, kind = first;
  assay_word reason = first;
  *out_found = first.length > 0;
  if (!*out_found)
    return ASSAY_OK;
  for (assay_word word = assay_word_next(&cursor, line->end); word.length > 0;
       word = assay_word_next(&cursor, line->end)) {
    before = kind;
    kind = reason;
    reason = word;
  }
  out_gap->reason = assay_word_unquote(arena, reason);
  if (out_gap->reason == NULL)
    return assay_line_fail(err, line, reason.start,
                           "expected a reason in double quotes at the end");
  out_gap->lasting = assay_word_is(kind, "lasting");
  if (!out_gap->lasting && !assay_word_is(kind, "temporary"))
    return assay_line_fail(err, line, kind.start,
                           "expected 'temporary' or 'lasting' before the reason");
  const char *end = before.start + before.length;
  if (kind.start == first.start)
    return assay_line_fail(err, line, kind.start, "expected a pattern before '%s'",
                           out_gap->lasting ? "lasting" : "temporary");
  out_gap->pattern = assay_arena_bytes(arena, first.start, (size_t)(end - first.start));
  return ASSAY_OK;
}

assay_code assay_gaps_parse(assay_arena *arena, const assay_file *file, assay_gaps *out_gaps,
                            assay_error *err) {
  size_t most = 1;
  for (size_t i = 0; i < file->size; i++)
    most += file->bytes[i] == '\n';
  assay_gap *items = assay_arena_take(arena, most, sizeof *items);
  size_t count = 0;
  assay_lines lines = {.file = file};
  while (assay_lines_next(&lines)) {
    assay_line line;
    bool found;
    TRY(assay_line_open(file->path, lines.number, lines.start, lines.length, &line, err));
    TRY(parse_row(arena, &line, &items[count], &found, err));
    if (!found)
      continue;
    // A row that can match nothing would stay for ever.
    const char *fault = assay_filter_explain(arena, items[count].pattern);
    if (fault != NULL)
      return assay_line_fail(err, &line, line.start + strspn(line.start, " \t"), "%s", fault);
    items[count++].origin = assay_arena_format(arena, "%s:%d", file->path, lines.number);
  }
  *out_gaps = (assay_gaps){.items = items, .count = count};
  return ASSAY_OK;
}

assay_code assay_gaps_load(assay_arena *arena, const char *root, assay_gaps *out_gaps,
                           assay_error *err) {
  assay_file file;
  TRY(assay_file_read(arena, assay_arena_format(arena, "%s/suite/known_gaps", root), &file, err));
  file.path = "suite/known_gaps";
  return assay_gaps_parse(arena, &file, out_gaps, err);
}

const assay_gap *assay_gaps_find(const assay_gaps *gaps, const char *line, const char *data,
                                 const char *backend) {
  for (size_t i = 0; i < gaps->count; i++) {
    assay_filter filter = {.patterns = &gaps->items[i].pattern, .count = 1};
    if (assay_filter_selects(&filter, line, data, backend))
      return &gaps->items[i];
  }
  return NULL;
}
