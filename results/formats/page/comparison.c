// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/columns.h"
#include "results/formats/page/page.h"

#include <math.h>

enum { MOST_ROWS = 400 };

static const char *const heads[] = {"verdict", "*case",           "what", "#baseline",
                                    "#now",    "#now / baseline", "*why", NULL};

static const char *print_ratio(const assay_page *page, const assay_baseline_row *row) {
  if (isnan(row->ratio))
    return "";
  if (isnan(row->low) || isnan(row->high))
    return assay_arena_string(page->arena, assay_ratio_print(row->ratio).text);
  return assay_arena_format(page->arena, "%s [%s, %s]", assay_ratio_print(row->ratio).text,
                            assay_ratio_print(row->low).text, assay_ratio_print(row->high).text);
}

static void add_row(assay_page *page, xmlNodePtr table, const assay_baseline_row *row) {
  const char *const cells[] = {assay_arena_format(page->arena, "%s%s",
                                                  row->regression ? "\u2717 "
                                                  : row->worse    ? "! "
                                                                  : "",
                                                  row->verdict),
                               assay_clip(page->arena, row->key, 200),
                               assay_clip(page->arena, row->metric, 60),
                               assay_clip(page->arena, row->base, 40),
                               assay_clip(page->arena, row->now, 40),
                               print_ratio(page, row),
                               assay_clip(page->arena, row->reason, 160)};
  assay_dom_row(&page->dom, table, heads, cells);
}

enum { REGRESSION, WORSE, OTHER };

// On a narrow screen its rows become blocks, since seven columns would not be seen.
static xmlNodePtr add_table(assay_page *page, xmlNodePtr place) {
  xmlNodePtr table = assay_dom_table(&page->dom, place, heads);
  assay_dom_attribute(&page->dom, table, "class", "stack");
  return table;
}

static int rank_of(const assay_baseline_row *row) {
  return row->regression ? REGRESSION : row->worse ? WORSE : OTHER;
}

// Those of one rank; what is the same is only counted.
static void add_rows(assay_page *page, xmlNodePtr table, int rank, size_t *shown, size_t *left) {
  const assay_baseline *comparison = page->totals->comparison;
  for (size_t i = 0; i < comparison->count; i++) {
    const assay_baseline_row *row = &comparison->rows[i];
    if (row->same || rank_of(row) != rank)
      continue;
    if (*shown < MOST_ROWS && page->dom.bytes < ASSAY_PAGE_LIST_BYTES) {
      add_row(page, table, row);
      ++*shown;
    } else {
      ++*left;
    }
  }
}

static size_t count(const assay_baseline *comparison, int rank) {
  size_t number = 0;
  for (size_t i = 0; i < comparison->count; i++)
    number += !comparison->rows[i].same && rank_of(&comparison->rows[i]) == rank;
  return number;
}

void assay_page_comparison(assay_page *page) {
  const assay_baseline *comparison = page->totals->comparison;
  if (comparison == NULL)
    return;
  size_t same = 0, shown = 0, left = 0;
  for (size_t i = 0; i < comparison->count; i++)
    same += comparison->rows[i].same;
  xmlNodePtr section = assay_page_section(page, "comparison", "Baseline", "Against the baseline");
  xmlNodePtr said = assay_dom_add_class(&page->dom, section, "p", "dim", "Baseline: ");
  assay_dom_add(&page->dom, said, "code", assay_clip(page->arena, comparison->base, 200));
  if (comparison->note != NULL)
    assay_dom_add_class(&page->dom, section, "p", "dim", comparison->note);
  if (count(comparison, REGRESSION) + count(comparison, WORSE) > 0) {
    xmlNodePtr table = add_table(page, section);
    add_rows(page, table, REGRESSION, &shown, &left);
    add_rows(page, table, WORSE, &shown, &left);
  }
  size_t others = count(comparison, OTHER);
  if (others > 0) {
    // Folded: new cases alone may be hundreds, and nobody has to act on them.
    xmlNodePtr details = assay_dom_add(&page->dom, section, "details", NULL);
    assay_dom_format(&page->dom, details, "summary", "%zu difference%s that %s no regression",
                     others, others == 1 ? "" : "s", others == 1 ? "is" : "are");
    add_rows(page, add_table(page, details), OTHER, &shown, &left);
  }
  assay_page_left_out(page, section, left, "rows that differ");
  assay_dom_format(&page->dom, section, "p", "%zu of %zu rows are the same.", same,
                   comparison->count);
}
