// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/join.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const assay_record *a, const assay_record *b) {
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  return strcmp(a->key, b->key);
}

// Those of one name in the order they had.
static int by_name(const void *a, const void *b) {
  const assay_record *x = *(const assay_record *const *)a, *y = *(const assay_record *const *)b;
  int order = compare_names(x, y);
  return order != 0 ? order : (x > y) - (x < y);
}

static const assay_record **sort(assay_arena *arena, const assay_record records[], size_t count,
                                 size_t *out_count) {
  const assay_record **sorted = assay_arena_take(arena, count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    sorted[i] = &records[i];
  bool ordered = true;
  for (size_t i = 1; i < count && ordered; i++)
    ordered = compare_names(sorted[i - 1], sorted[i]) < 0;
  if (!ordered)
    qsort(sorted, count, sizeof *sorted, by_name);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (i + 1 == count || compare_names(sorted[i], sorted[i + 1]) != 0)
      sorted[kept++] = sorted[i];
  *out_count = kept;
  return sorted;
}

assay_joined *assay_join(assay_arena *arena, const assay_record base[], size_t base_count,
                         const assay_record new[], size_t new_count, size_t *out_count) {
  const assay_record **old = sort(arena, base, base_count, &base_count);
  const assay_record **now = sort(arena, new, new_count, &new_count);
  assay_joined *pairs = assay_arena_take(arena, base_count + new_count, sizeof *pairs);
  size_t i = 0, j = 0, count = 0;
  while (i < base_count || j < new_count) {
    int order = i == base_count ? 1 : j == new_count ? -1 : compare_names(old[i], now[j]);
    pairs[count].base = order <= 0 ? old[i++] : NULL;
    pairs[count++].new = order >= 0 ? now[j++] : NULL;
  }
  *out_count = count;
  return pairs;
}
