// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/unmatched.h"

#include "results/compare/columns.h"

#include <string.h>

static bool has_counter(const assay_record *record, const char *name) {
  static const char *const own[] = {"blas_calls", "compiles", "launches"}; // bits of uncounted
  bool has = false;
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    has = has || (strcmp(own[i], name) == 0 && (record->uncounted >> i & 1U) == 0);
  for (size_t i = 0; i < record->counter_count && !has; i++)
    has = strcmp(record->counters[i].name, name) == 0;
  return has;
}

static bool is_met(const assay_threshold_subject *subject, const assay_record records[],
                   size_t count) {
  for (size_t i = 0; i < count; i++)
    if ((subject->pattern == NULL || assay_pattern_matches(subject->pattern, records[i].key)) &&
        (subject->counter == NULL || has_counter(&records[i], subject->counter)))
      return true;
  return false;
}

static const char *tell(assay_arena *arena, const assay_threshold_subject *subject) {
  enum { WIDTH = 60 };
  const char *place = assay_arena_format(arena, "%s:%d", subject->file, subject->line);
  const char *pattern =
      subject->pattern != NULL
          ? assay_arena_format(arena, "[%s]", assay_columns_fit(arena, subject->pattern, WIDTH))
          : "";
  if (subject->counter == NULL)
    return assay_arena_format(arena, "%s: %s matches no case of this comparison", place, pattern);
  return assay_arena_format(arena, "%s: no case %s%sof this comparison has a counter '%s'", place,
                            pattern, pattern[0] != '\0' ? " " : "",
                            assay_columns_fit(arena, subject->counter, WIDTH));
}

size_t assay_thresholds_unmatched(assay_arena *arena, const assay_comparison_request *request,
                                  const char *const **out_sentences) {
  size_t room = 0, count = 0;
  const assay_threshold_subject *first = assay_thresholds_subjects(request->thresholds);
  for (const assay_threshold_subject *each = first; each != NULL; each = each->next)
    room++;
  const char **sentences = assay_arena_take(arena, room + 1, sizeof *sentences);
  const char *useless = NULL; // a pattern: what stands below it matches nothing, either
  for (const assay_threshold_subject *each = first; each != NULL; each = each->next) {
    if ((each->counter != NULL && useless != NULL && each->pattern == useless) ||
        is_met(each, request->base, request->base_count) ||
        is_met(each, request->new, request->new_count))
      continue;
    sentences[count++] = tell(arena, each);
    if (each->counter == NULL)
      useless = each->pattern;
  }
  *out_sentences = sentences;
  return count;
}
