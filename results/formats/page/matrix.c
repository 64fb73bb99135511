// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/columns.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Conformance only, where there is any: a timing stands behind a verdict that is counted already.
static const assay_summary *summarise(assay_page *page) {
  assay_record *kept = assay_arena_take(page->arena, page->count, sizeof *kept);
  size_t count = 0;
  for (size_t i = 0; i < page->count; i++)
    if (page->records[i].kind != ASSAY_RECORD_BENCH)
      kept[count++] = page->records[i];
  return count > 0 ? assay_summary_make(page->arena, kept, count)
                   : assay_summary_make(page->arena, page->records, page->count);
}

static int compare_rows(const void *a, const void *b) {
  const assay_summary_row *left = a, *right = b;
  int order = strcmp(left->op, right->op);
  return order != 0 ? order : strcmp(left->backend, right->backend);
}

static const assay_summary_row *find(const assay_summary *summary, const char *op,
                                     const char *backend) {
  const assay_summary_row wanted = {.op = op, .backend = backend};
  return bsearch(&wanted, summary->rows, summary->count, sizeof wanted, compare_rows);
}

// The count in the cell's first line: what is bad, else what passed, else why nothing did.
static void count_cell(assay_page *page, xmlNodePtr cell, const assay_columns *columns) {
  const char *tone = "good", *text;
  if (columns->failed > 0) {
    tone = "bad";
    text = assay_arena_format(page->arena, "\u2717 %" PRId64 " of %" PRId64 " bad", columns->failed,
                              columns->verdicts);
  } else if (columns->passed > 0) {
    text = assay_arena_format(page->arena, "\u2713 %" PRId64, columns->passed);
  } else {
    tone = "look";
    text = columns->known_gap > 0 ? "known gap" : "skipped";
  }
  assay_dom_attribute(&page->dom, cell, "class", tone);
  assay_dom_add(&page->dom, cell, "b", text);
}

static void fill_cell(assay_page *page, xmlNodePtr cell, const assay_summary_row *row) {
  if (row == NULL) {
    assay_dom_text(&page->dom, cell, "\u2013");
    return;
  }
  assay_columns columns = assay_columns_count(row);
  count_cell(page, cell, &columns);
  assay_text small = {.arena = page->arena};
  if (!isnan(row->largest_margin))
    assay_text_print(&small, "margin %s", assay_print_number(row->largest_margin).text);
  if (columns.known_gap > 0)
    assay_text_print(&small, "%s%" PRId64 " known gap%s", small.length > 0 ? ", " : "",
                     columns.known_gap, columns.known_gap == 1 ? "" : "s");
  if (columns.skipped > 0)
    assay_text_print(&small, "%s%" PRId64 " skipped", small.length > 0 ? ", " : "",
                     columns.skipped);
  if (small.length > 0)
    assay_dom_add(&page->dom, cell, "small", assay_text_get(&small));
}

void assay_page_matrix(assay_page *page) {
  const assay_summary *summary = summarise(page);
  if (summary->count == 0)
    return;
  xmlNodePtr section =
      assay_page_section(page, "support", "Support", "Support by operation and backend");
  assay_dom_add_class(
      &page->dom, section, "p", "dim",
      "\u2713 verdicts as expected, \u2717 bad ones; margin: the largest error over "
      "the bound, at most 1 passes.");
  const char **heads = assay_arena_take(page->arena, page->backend_count + 2, sizeof *heads);
  size_t columns = 0;
  heads[columns++] = "operation";
  for (size_t b = 0; b < page->backend_count; b++) {
    bool any = false;
    for (size_t i = 0; i < summary->count; i++)
      any |= strcmp(summary->rows[i].backend, page->backends[b]) == 0;
    if (any)
      heads[columns++] = page->backends[b];
  }
  const char **shown = assay_arena_take(page->arena, columns + 1, sizeof *shown);
  for (size_t i = 0; i < columns; i++)
    // A name may start with what marks a column.
    shown[i] = strcmp(heads[i], "none") == 0 ? "no backend"
               : strchr("#*", heads[i][0]) != NULL
                   ? assay_arena_format(page->arena, " %s", heads[i])
                   : heads[i];
  xmlNodePtr table = assay_dom_table(&page->dom, section, shown);
  assay_dom_attribute(&page->dom, table, "class", "matrix");
  xmlNodePtr body = xmlGetLastChild(table);
  for (size_t i = 0; i < summary->count; i++) {
    const char *op = summary->rows[i].op;
    if (i > 0 && strcmp(op, summary->rows[i - 1].op) == 0)
      continue;
    if (page->dom.bytes > ASSAY_PAGE_DETAIL_BYTES) {
      assay_page_left_out(page, section, summary->count - i, "pairs of operation and backend");
      return;
    }
    xmlNodePtr row = assay_dom_add(&page->dom, body, "tr", NULL);
    xmlNodePtr head = assay_dom_add(&page->dom, row, "th", op);
    assay_dom_attribute(&page->dom, head, "scope", "row");
    for (size_t k = 1; k < columns; k++)
      fill_cell(page, assay_dom_add(&page->dom, row, "td", NULL), find(summary, op, heads[k]));
  }
}
