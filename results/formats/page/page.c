// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/page/page.h"

#include <string.h>

xmlNodePtr assay_page_section(assay_page *page, const char *id, const char *name,
                              const char *title) {
  xmlNodePtr section = assay_dom_add(&page->dom, page->main, "section", NULL);
  assay_dom_attribute(&page->dom, section, "id", id);
  assay_dom_add(&page->dom, section, "h2", title);
  xmlNodePtr link = assay_dom_add(&page->dom, page->navigation, "a", name);
  assay_dom_attribute(&page->dom, link, "href", assay_arena_format(page->arena, "#%s", id));
  return section;
}

xmlNodePtr assay_page_figure(assay_page *page, xmlNodePtr section, const char *caption) {
  xmlNodePtr figure = assay_dom_add(&page->dom, section, "figure", NULL);
  assay_dom_add(&page->dom, figure, "figcaption", caption);
  return figure;
}

void assay_page_left_out(assay_page *page, xmlNodePtr section, size_t left, const char *what) {
  if (left == 0)
    return;
  const char *text = assay_arena_format(page->arena, "... and %zu more %s", left, what);
  assay_dom_add_class(&page->dom, section, "p", "left", text);
}

int assay_page_color(const assay_page *page, const char *backend) {
  for (size_t i = 0; i < page->backend_count; i++)
    if (strcmp(page->backends[i], backend) == 0)
      return (int)(i % ASSAY_PLOT_COLORS) + 1;
  return 1;
}

static bool has_word(const char *line, const char *word, size_t length) {
  for (const char *at = line; (at = strstr(at, word)) != NULL; at++)
    if ((at == line || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return true;
  return false;
}

static bool is_common(const assay_page *page, const char *op, const char *word, size_t length) {
  for (size_t i = 0; i < page->count; i++)
    if (strcmp(page->records[i].op, op) == 0 && !has_word(page->records[i].line, word, length))
      return false;
  return true;
}

const char *assay_page_line(const assay_page *page, const assay_record *record, size_t most) {
  if (strlen(record->line) <= most || strlen(record->line) > 400)
    return assay_clip(page->arena, record->line, most);
  assay_text kept = {.arena = page->arena};
  for (const char *at = record->line; *at != '\0';) {
    size_t length = strcspn(at, " ");
    const char *word = assay_arena_bytes(page->arena, at, length);
    if (at == record->line || !is_common(page, record->op, word, length))
      assay_text_print(&kept, "%s%s", kept.length > 0 ? " " : "", word);
    at += length;
    at += strspn(at, " ");
  }
  bool any = strchr(assay_text_get(&kept), ' ') != NULL; // else all its cases are this one
  return assay_clip(page->arena, any ? assay_text_get(&kept) : record->line, most);
}
