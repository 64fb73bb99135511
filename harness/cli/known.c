// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/known.h"

#include "harness/cli/comparison.h"
#include "results/store/source.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b) {
  const assay_record *const *left = a, *const *right = b;
  int order = strcmp((*left)->key, (*right)->key);
  return order != 0 ? order : ((*left)->kind > (*right)->kind) - ((*left)->kind < (*right)->kind);
}

static void mark(assay_arena *arena, assay_record *record) {
  record->reason =
      assay_arena_format(arena, "known failure: %s: %s", assay_verdict_name(record->verdict),
                         record->reason != NULL ? record->reason : "no reason given");
  record->verdict = ASSAY_XFAIL;
}

assay_code assay_known_mark(const assay_session *session, const assay_record records[],
                            size_t count, assay_record **out_records, const bool **out_known,
                            assay_error *err) {
  assay_arena *arena = session->arena;
  assay_record *base;
  size_t base_count;
  TRY(assay_comparison_read(arena, session, session->options->known, false, &base, &base_count,
                            err));
  assay_records_merge(arena, base, NULL, base_count, &base, &base_count);
  const assay_record **sorted = assay_arena_take(arena, base_count, sizeof *sorted);
  for (size_t i = 0; i < base_count; i++)
    sorted[i] = &base[i];
  qsort(sorted, base_count, sizeof *sorted, compare_keys);
  assay_record *marked = assay_arena_take(arena, count, sizeof *marked);
  bool *known = assay_arena_take(arena, count, sizeof *known);
  for (size_t i = 0; i < count; i++) {
    const assay_record *wanted = &records[i], **found;
    marked[i] = records[i];
    found = bsearch(&wanted, sorted, base_count, sizeof *sorted, compare_keys);
    known[i] = found != NULL && assay_verdict_is_bad(records[i].verdict) &&
               (*found)->verdict == records[i].verdict;
    if (known[i])
      mark(arena, &marked[i]);
  }
  *out_records = marked;
  *out_known = known;
  return ASSAY_OK;
}
