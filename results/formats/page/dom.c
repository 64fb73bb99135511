// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/page/dom.h"
#include "results/formats/common/clean.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *there(void *made) {
  if (made == NULL)
    abort();
  return made;
}

assay_dom assay_dom_create(assay_arena *arena) {
  assay_dom dom = {.arena = arena, .document = there(xmlNewDoc(BAD_CAST "1.0"))};
  dom.document->type = XML_HTML_DOCUMENT_NODE;
  there(xmlCreateIntSubset(dom.document, BAD_CAST "html", NULL, NULL));
  return dom;
}

// Bytes of a text once it is written.
static size_t written(const char *text) {
  size_t bytes = 0;
  for (const char *at = text; *at != '\0'; at++)
    bytes += *at == '<' || *at == '>' ? 4 : *at == '&' ? 5 : *at == '"' ? 6 : 1;
  return bytes;
}

void assay_dom_text(assay_dom *dom, xmlNodePtr parent, const char *text) {
  const char *clean = assay_clean(dom->arena, text);
  dom->bytes += written(clean);
  xmlAddChild(parent, there(xmlNewDocText(dom->document, BAD_CAST clean)));
}

xmlNodePtr assay_dom_add(assay_dom *dom, xmlNodePtr parent, const char *tag, const char *text) {
  xmlNodePtr node = there(xmlNewDocNode(dom->document, NULL, BAD_CAST tag, NULL));
  if (parent != NULL)
    xmlAddChild(parent, node);
  if (text != NULL)
    assay_dom_text(dom, node, text);
  dom->bytes += 2 * strlen(tag) + 5;
  return node;
}

void assay_dom_attribute(assay_dom *dom, xmlNodePtr node, const char *name, const char *value) {
  const char *clean = assay_clean(dom->arena, value);
  dom->bytes += strlen(name) + written(clean) + 4;
  there(xmlNewProp(node, BAD_CAST name, BAD_CAST clean));
}

xmlNodePtr assay_dom_add_class(assay_dom *dom, xmlNodePtr parent, const char *tag,
                               const char *class_name, const char *text) {
  xmlNodePtr node = assay_dom_add(dom, parent, tag, text);
  assay_dom_attribute(dom, node, "class", class_name);
  return node;
}

xmlNodePtr assay_dom_format(assay_dom *dom, xmlNodePtr parent, const char *tag, const char *format,
                            ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = assay_arena_take(dom->arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
  vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, again);
  va_end(again);
  return assay_dom_add(dom, parent, tag, text);
}

// What a column's cells look like; "" for the usual.
static const char *column_class(const char *head) {
  return head[0] == '#' ? "n" : head[0] == '*' ? "key" : "";
}

static xmlNodePtr add_cell(assay_dom *dom, xmlNodePtr row, const char *tag, const char *head,
                           const char *text) {
  xmlNodePtr cell = assay_dom_add(dom, row, tag, text);
  if (column_class(head)[0] != '\0')
    assay_dom_attribute(dom, cell, "class", column_class(head));
  return cell;
}

xmlNodePtr assay_dom_table(assay_dom *dom, xmlNodePtr parent, const char *const heads[]) {
  xmlNodePtr box = assay_dom_add_class(dom, parent, "div", "wide", NULL);
  assay_dom_attribute(dom, box, "tabindex", "0"); // scrolled by the keyboard, too
  xmlNodePtr table = assay_dom_add(dom, box, "table", NULL);
  xmlNodePtr row = assay_dom_add(dom, assay_dom_add(dom, table, "thead", NULL), "tr", NULL);
  for (size_t i = 0; heads[i] != NULL; i++) {
    const char *name = heads[i] + (column_class(heads[i])[0] != '\0');
    assay_dom_attribute(dom, add_cell(dom, row, "th", heads[i], name), "scope", "col");
  }
  assay_dom_add(dom, table, "tbody", NULL);
  return table;
}

void assay_dom_row(assay_dom *dom, xmlNodePtr table, const char *const heads[],
                   const char *const cells[]) {
  xmlNodePtr row = assay_dom_add(dom, xmlGetLastChild(table), "tr", NULL);
  for (size_t i = 0; heads[i] != NULL; i++) {
    xmlNodePtr cell = add_cell(dom, row, i == 0 ? "th" : "td", heads[i], cells[i]);
    if (i == 0)
      assay_dom_attribute(dom, cell, "scope", "row");
  }
}

xmlNodePtr assay_dom_details(assay_dom *dom, xmlNodePtr parent, const char *summary) {
  xmlNodePtr details = assay_dom_add(dom, parent, "details", NULL);
  assay_dom_add(dom, details, "summary", summary);
  return details;
}
