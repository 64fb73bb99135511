// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/passes.h"

#include <stdint.h>
#include <string.h>

// Larger tables are not made: then only what moved is recognised.
enum { MOST_CELLS = 4000000 };

typedef struct pair_list {
  assay_pass_pair *rows;
  size_t count;
} pair_list;

static bool is_same(const assay_pass_row *a, const assay_pass_row *b) {
  return strcmp(a->name, b->name) == 0;
}

static void add(pair_list *list, const assay_pass_row *base, const assay_pass_row *new) {
  assay_pass_mark mark = base == NULL  ? ASSAY_PASS_ADDED
                         : new == NULL ? ASSAY_PASS_REMOVED
                                       : ASSAY_PASS_KEPT;
  list->rows[list->count++] = (assay_pass_pair){.mark = mark, .base = base, .new = new};
}

// lengths[i * (n + 1) + j]: of the longest common subsequence of what follows base i and new j.
// Source: R. A. Wagner and M. J. Fischer, The string-to-string correction problem, J. ACM 21, 1974.
static uint32_t *measure(assay_arena *arena, const assay_pass_row base[], size_t m,
                         const assay_pass_row new[], size_t n) {
  uint32_t *lengths = assay_arena_take(arena, (m + 1) * (n + 1), sizeof *lengths);
  for (size_t i = m; i-- > 0;) {
    for (size_t j = n; j-- > 0;) {
      uint32_t down = lengths[(i + 1) * (n + 1) + j], right = lengths[i * (n + 1) + j + 1];
      lengths[i * (n + 1) + j] = is_same(&base[i], &new[j]) ? lengths[(i + 1) * (n + 1) + j + 1] + 1
                                 : down > right             ? down
                                                            : right;
    }
  }
  return lengths;
}

// What is between a common start and a common end.
static void align_middle(assay_arena *arena, pair_list *list, const assay_pass_row base[], size_t m,
                         const assay_pass_row new[], size_t n) {
  const uint32_t *lengths =
      m > 0 && n > 0 && (m + 1) <= MOST_CELLS / (n + 1) ? measure(arena, base, m, new, n) : NULL;
  size_t i = 0, j = 0;
  while (i < m || j < n) {
    if (lengths != NULL && i < m && j < n && is_same(&base[i], &new[j])) {
      add(list, &base[i++], &new[j++]);
      continue;
    }
    bool removed = i < m && (j == n || lengths == NULL ||
                             lengths[(i + 1) * (n + 1) + j] >= lengths[i * (n + 1) + j + 1]);
    if (removed)
      add(list, &base[i++], NULL);
    else
      add(list, NULL, &new[j++]);
  }
}

// A pass that is taken out here and put in there has moved: its row stands where NEW has it.
static void find_moves(pair_list *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    assay_pass_pair *out = &list->rows[i];
    for (size_t k = 0; k < list->count && out->mark == ASSAY_PASS_REMOVED; k++) {
      assay_pass_pair *in = &list->rows[k];
      if (in->mark != ASSAY_PASS_ADDED || !is_same(in->new, out->base))
        continue;
      in->mark = out->mark = ASSAY_PASS_MOVED;
      in->base = out->base;
    }
  }
  for (size_t i = 0; i < list->count; i++)
    if (list->rows[i].new != NULL || list->rows[i].mark == ASSAY_PASS_REMOVED)
      list->rows[kept++] = list->rows[i];
  list->count = kept;
}

size_t assay_passes_align(assay_arena *arena, const assay_pass_row base[], size_t base_count,
                          const assay_pass_row new[], size_t new_count,
                          assay_pass_pair **out_rows) {
  pair_list found = {.rows = assay_arena_take(arena, base_count + new_count, sizeof *found.rows)};
  size_t least = base_count < new_count ? base_count : new_count, start = 0, end = 0;
  while (start < least && is_same(&base[start], &new[start]))
    start++;
  while (end < least - start && is_same(&base[base_count - 1 - end], &new[new_count - 1 - end]))
    end++;
  for (size_t i = 0; i < start; i++)
    add(&found, &base[i], &new[i]);
  align_middle(arena, &found, base + start, base_count - start - end, new + start,
               new_count - start - end);
  for (size_t i = end; i > 0; i--)
    add(&found, &base[base_count - i], &new[new_count - i]);
  find_moves(&found);
  *out_rows = found.rows;
  return found.count;
}
