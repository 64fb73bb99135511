// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An HTML document being built: libxml2's tree, which escapes what it writes.
#ifndef ASSAY_RESULTS_FORMATS_PAGE_DOM_H
#define ASSAY_RESULTS_FORMATS_PAGE_DOM_H

#include "compiler/base/arena.h"

#include <libxml/HTMLtree.h>

typedef struct assay_dom {
  assay_arena *arena;
  htmlDocPtr document;
  size_t bytes; // of what is in it so far, nearly as many as will be written
} assay_dom;

// Running out of memory ends the process, as in the arena. document is the caller's (xmlFreeDoc).
assay_dom assay_dom_create(assay_arena *arena);

// A new last child. text: NULL for none; bytes that no document can hold become '?'.
xmlNodePtr assay_dom_add(assay_dom *dom, xmlNodePtr parent, const char *tag, const char *text);
// The same with class="...".
xmlNodePtr assay_dom_add_class(assay_dom *dom, xmlNodePtr parent, const char *tag,
                               const char *class_name, const char *text);
void assay_dom_attribute(assay_dom *dom, xmlNodePtr node, const char *name, const char *value);
void assay_dom_text(assay_dom *dom, xmlNodePtr parent, const char *text);
ASSAY_PRINTF(4, 5)
xmlNodePtr assay_dom_format(assay_dom *dom, xmlNodePtr parent, const char *tag, const char *format,
                            ...);

// A table in a box that scrolls when it is too wide; the node is the table's. heads ends with NULL;
// a head that starts with '#' (not shown) has numbers below it, one with '*' text that may be long.
xmlNodePtr assay_dom_table(assay_dom *dom, xmlNodePtr parent, const char *const heads[]);
// A row of as many cells as the table has heads; the first is the row's name.
void assay_dom_row(assay_dom *dom, xmlNodePtr table, const char *const heads[],
                   const char *const cells[]);
// A closed <details> with that summary.
xmlNodePtr assay_dom_details(assay_dom *dom, xmlNodePtr parent, const char *summary);

#endif
