// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/page/page.h"
#include "results/record/excerpt.h"
#include "results/record/slug.h"

#include <string.h>

// How many are opened from the start, and how much of one text is shown.
enum { OPEN = 8, KEY_LENGTH = 300, TEXT_BYTES = 4000, LINE_BYTES = 12000 };

static const char *cut(assay_arena *arena, const char *text, size_t most) {
  size_t length = strlen(text);
  if (length <= most)
    return text;
  while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80)
    most--;
  return assay_arena_format(arena, "%.*s\n... %zu more bytes", (int)most, text, length - most);
}

// What the record holds, else what a bundle in one of the folders of the records does.
static void find_excerpts(const assay_page *page, const assay_record *record,
                          const char **out_before, const char **out_after) {
  *out_before = record->first_bad.before_excerpt;
  *out_after = record->first_bad.after_excerpt;
  const char *slug = assay_record_slug(page->arena, record->key);
  for (size_t i = 0; i < page->totals->folder_count && *out_before == NULL; i++)
    assay_excerpt_of_bundle(
        page->arena,
        assay_arena_format(page->arena, "%s/repro/%s/bundle", page->totals->folders[i], slug),
        out_before, out_after);
}

static void add_module(assay_page *page, xmlNodePtr pair, const char *title, const char *text) {
  xmlNodePtr side = assay_dom_add(&page->dom, pair, "div", NULL);
  assay_dom_add(&page->dom, side, "h4", title);
  if (text != NULL)
    assay_dom_add(&page->dom, side, "pre", cut(page->arena, text, ASSAY_EXCERPT_BYTES));
  else
    assay_dom_add_class(&page->dom, side, "p", "dim", "The pass left no module.");
}

static void add_first_bad(assay_page *page, xmlNodePtr place, const assay_record *record) {
  const assay_first_bad *bad = &record->first_bad;
  if (bad->n == 0)
    return;
  xmlNodePtr line = assay_dom_add(&page->dom, place, "p", "First bad pass: ");
  assay_dom_format(&page->dom, line, "b", "%d %s", bad->n, bad->name != NULL ? bad->name : "?");
  assay_dom_text(
      &page->dom, line,
      assay_arena_format(page->arena, " (%s)%s%s%s%s", bad->fault != NULL ? bad->fault : "?",
                         bad->step != NULL ? ", step " : "", bad->step != NULL ? bad->step : "",
                         bad->pattern != NULL ? ", pattern " : "",
                         bad->pattern != NULL ? bad->pattern : ""));
  const char *before, *after;
  find_excerpts(page, record, &before, &after);
  if (before == NULL && after == NULL)
    return;
  xmlNodePtr pair = assay_dom_add_class(&page->dom, place, "div", "pair", NULL);
  add_module(page, pair, "before the pass", before);
  add_module(page, pair, "after it", after);
}

static void add_failure(assay_page *page, xmlNodePtr section, const assay_record *record,
                        bool open) {
  assay_dom *dom = &page->dom;
  xmlNodePtr box = assay_dom_add_class(dom, section, "details", "case bad", NULL);
  if (open)
    assay_dom_attribute(dom, box, "open", "");
  xmlNodePtr head = assay_dom_add(dom, box, "summary", NULL);
  assay_dom_format(dom, head, "b", "\u2717 %s", assay_verdict_name(record->verdict));
  assay_dom_text(dom, head, " ");
  assay_dom_add(dom, head, "code", assay_clip(page->arena, record->key, KEY_LENGTH));
  if (strlen(record->key) > KEY_LENGTH)
    assay_dom_add_class(dom, box, "pre", "whole", cut(page->arena, record->key, LINE_BYTES));
  if (record->reason != NULL)
    assay_dom_add_class(dom, box, "pre", "said", cut(page->arena, record->reason, TEXT_BYTES));
  add_first_bad(page, box, record);
  const char *origin = assay_record_origin(page->arena, record);
  if (origin != NULL)
    assay_dom_format(dom, box, "p", "NaN origin: %s", cut(page->arena, origin, TEXT_BYTES));
  if (record->repro != NULL) {
    assay_dom_add(dom, box, "h4", "shows it again (one click selects)");
    assay_dom_add_class(dom, box, "pre", "repro", cut(page->arena, record->repro, LINE_BYTES));
  }
}

// One line each of those that have no room for more.
static size_t add_lines(assay_page *page, xmlNodePtr section, size_t i, size_t *left) {
  static const char *const heads[] = {"verdict", "*case", "*reason", NULL};
  xmlNodePtr table = assay_dom_table(&page->dom, section, heads);
  for (; i < page->count && page->dom.bytes < ASSAY_PAGE_LIST_BYTES; i++) {
    const assay_record *record = &page->records[i];
    if (!assay_verdict_is_bad(record->verdict))
      continue;
    const char *const cells[] = {assay_verdict_name(record->verdict),
                                 assay_clip(page->arena, record->key, 300),
                                 assay_clip(page->arena, record->reason, 160)};
    assay_dom_row(&page->dom, table, heads, cells);
    --*left;
  }
  return i;
}

void assay_page_failures(assay_page *page) {
  size_t left = 0, shown = 0, i = 0;
  for (size_t k = 0; k < page->count; k++)
    left += assay_verdict_is_bad(page->records[k].verdict);
  if (left == 0)
    return;
  const char *title = assay_arena_format(page->arena, "Failures (%zu)", left);
  xmlNodePtr section = assay_page_section(page, "failures", title, title);
  for (; i < page->count && page->dom.bytes < ASSAY_PAGE_DETAIL_BYTES; i++) {
    if (!assay_verdict_is_bad(page->records[i].verdict))
      continue;
    add_failure(page, section, &page->records[i], shown++ < OPEN);
    left--;
  }
  if (left > 0)
    add_lines(page, section, i, &left);
  const char *records = page->totals->records;
  assay_page_left_out(page, section, left,
                      records == NULL ? "failures, for which this page has no room"
                                      : assay_arena_format(page->arena,
                                                           "failures, for which this page has no "
                                                           "room: they are in %s",
                                                           records));
}
