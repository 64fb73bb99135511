// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/page/page.h"

#include <string.h>

xmlNodePtr assay_page_section(assay_page *page, const char *id, const char *title) {
  xmlNodePtr section = assay_dom_add(&page->dom, page->main, "section", NULL);
  assay_dom_attribute(&page->dom, section, "id", id);
  assay_dom_add(&page->dom, section, "h2", title);
  xmlNodePtr link = assay_dom_add(&page->dom, page->navigation, "a", title);
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
