// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// html: one file for people, read in a browser without network and without scripts.
#include "results/formats/common/clean.h"
#include "results/formats/common/sentence.h"
#include "results/formats/page/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_backends(assay_page *page) {
  size_t room = 0;
  for (size_t i = 0; i < page->count; i++) {
    const char *backend = page->records[i].backend;
    size_t known = 0;
    while (known < page->backend_count && strcmp(page->backends[known], backend) != 0)
      known++;
    if (known < page->backend_count)
      continue;
    if (page->backend_count == room) {
      room = room < 8 ? 8 : room * 2;
      const char **larger = assay_arena_take(page->arena, room, sizeof *larger);
      if (page->backend_count > 0)
        memcpy(larger, page->backends, page->backend_count * sizeof *larger);
      page->backends = larger;
    }
    page->backends[page->backend_count++] = backend;
  }
  if (page->backend_count > 0)
    qsort(page->backends, page->backend_count, sizeof *page->backends, compare_texts);
}

static void add_meta(assay_dom *dom, xmlNodePtr head, const char *name, const char *value,
                     const char *content) {
  xmlNodePtr meta = assay_dom_add(dom, head, "meta", NULL);
  assay_dom_attribute(dom, meta, name, value);
  if (content != NULL)
    assay_dom_attribute(dom, meta, "content", content);
}

// The latest time that a record has.
static const char *latest(const assay_page *page) {
  const char *found = NULL;
  for (size_t i = 0; i < page->count; i++) {
    const char *started = page->records[i].started;
    if (started != NULL && (found == NULL || strcmp(started, found) > 0))
      found = started;
  }
  return found;
}

// "2026-01-02 03:04 UTC" of a time as records have it; anything else as it is.
static const char *print_time(const assay_page *page, const char *started) {
  const char *line = assay_clip(page->arena, started, 40);
  if (strlen(line) < 17 || line[4] != '-' || line[10] != 'T' || line[16] != ':')
    return line;
  return assay_arena_format(page->arena, "%.10s %.5s UTC", line, line + 11);
}

static void add_head(assay_page *page, xmlNodePtr html, const char *sentence) {
  assay_dom *dom = &page->dom;
  xmlNodePtr head = assay_dom_add(dom, html, "head", NULL);
  // In this form libxml2 takes it for the encoding it is to write.
  add_meta(dom, head, "http-equiv", "Content-Type", "text/html; charset=UTF-8");
  add_meta(dom, head, "name", "viewport", "width=device-width, initial-scale=1");
  assay_dom_format(dom, head, "title", "Assay: %s", sentence);
  xmlNodePtr style = assay_dom_add(dom, head, "style", NULL);
  for (const char *const *piece = assay_page_style; *piece != NULL; piece++)
    assay_dom_text(dom, style, *piece);
}

// The answer first.
static xmlNodePtr add_top(assay_page *page, xmlNodePtr body, const char *sentence,
                          assay_tone tone) {
  static const char *const classes[] = {"verdict good", "verdict look", "verdict bad"};
  static const char *const signs[] = {"\u2713 ", "! ", "\u2717 "};
  assay_dom *dom = &page->dom;
  xmlNodePtr header = assay_dom_add(dom, body, "header", NULL);
  assay_dom_add(dom, header, "h1", "Assay report");
  xmlNodePtr verdict = assay_dom_add_class(dom, header, "p", classes[tone], signs[tone]);
  assay_dom_text(dom, verdict, sentence);
  const char *when = latest(page);
  assay_dom_add_class(
      dom, header, "p", "dim",
      assay_arena_format(page->arena, "%zu records%s%s%s", page->count,
                         isnan(page->totals->seconds)
                             ? ""
                             : assay_arena_format(page->arena, ", %.1f s", page->totals->seconds),
                         when != NULL ? ", the last begun " : "",
                         when != NULL ? print_time(page, when) : ""));
  page->navigation = assay_dom_add(dom, body, "nav", NULL);
  return header;
}

static void finish(assay_page *page, xmlNodePtr header) {
  const char *missing = assay_plots_draw(&page->plots, !page->totals->no_plots);
  if (missing == NULL)
    return;
  const char *text = assay_arena_format(page->arena, "The page has no plots: %s.", missing);
  assay_dom_add_class(&page->dom, header, "p", "missing", text);
  if (page->totals->note != NULL)
    page->totals->note(
        assay_arena_format(page->arena, "the HTML report has no plots: %s", missing));
}

static assay_code build(assay_page *page, assay_error *err) {
  assay_tone tone;
  const assay_summary *summary = assay_summary_make(page->arena, page->records, page->count);
  const char *sentence = assay_sentence_make(page->arena, summary, page->totals, &tone);
  xmlNodePtr html = assay_dom_add(&page->dom, NULL, "html", NULL);
  xmlDocSetRootElement(page->dom.document, html);
  assay_dom_attribute(&page->dom, html, "lang", "en");
  add_head(page, html, sentence);
  xmlNodePtr body = assay_dom_add(&page->dom, html, "body", NULL);
  xmlNodePtr header = add_top(page, body, sentence, tone);
  page->main = assay_dom_add(&page->dom, body, "main", NULL);
  assay_page_comparison(page);
  assay_page_matrix(page);
  assay_page_failures(page);
  assay_page_timings(page);
  assay_page_roofline(page);
  assay_page_margins(page);
  assay_page_passes(page);
  TRY(assay_page_history(page, err));
  assay_page_remarks(page);
  assay_page_environment(page);
  finish(page, header);
  return ASSAY_OK;
}

static assay_code write_html(FILE *stream, const assay_record records[], size_t count,
                             const assay_run_totals *totals, assay_error *err) {
  assay_page page = {
      .arena = assay_arena_create(), .records = records, .count = count, .totals = totals};
  page.dom = assay_dom_create(page.arena);
  page.plots = (assay_plots){.dom = &page.dom};
  find_backends(&page);
  assay_code code = build(&page, err);
  xmlChar *bytes = NULL;
  int size = 0;
  if (code == ASSAY_OK)
    htmlDocDumpMemoryFormat(page.dom.document, &bytes, &size, 0);
  xmlFreeDoc(page.dom.document);
  assay_arena_destroy(page.arena);
  if (code != ASSAY_OK)
    return code;
  if (bytes == NULL)
    return assay_fail(err, ASSAY_FAILED, "cannot write HTML: out of memory");
  fwrite(bytes, 1, (size_t)size, stream);
  xmlFree(bytes);
  if (ferror(stream))
    return assay_fail(err, ASSAY_FAILED, "cannot write HTML: %s", strerror(errno));
  return ASSAY_OK;
}

extern const assay_format assay_format_html;
const assay_format assay_format_html = {
    .name = "html",
    .summary = "one page for people: verdict, failures, timings, margins, plots",
    .write = write_html,
};
