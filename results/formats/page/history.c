// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <math.h>
#include <string.h>

enum { MOST_CASES = 6, MOST_ASKED = 240, MOST_POINTS = 60, HEIGHT = 200 };

// What is bad first, but not only that; then what was timed, GPT-2's block before the others, then
// what has the largest margin.
static double interest(const assay_record *record, size_t added) {
  if (assay_verdict_is_bad(record->verdict))
    return added < MOST_CASES / 2 ? 3000 : 950;
  if (record->kind == ASSAY_RECORD_BENCH)
    return strcmp(record->op, "gpt2_block") == 0 ? 2000 : 1000;
  return isnan(record->margin) ? -1 : fmin(record->margin, 900);
}

static bool is_finite_count(const assay_history_point points[], size_t count, bool seconds) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    known += isfinite(seconds ? points[i].seconds_run : points[i].margin);
  return known >= 2;
}

static void draw(assay_page *page, xmlNodePtr figure, const assay_history_point points[],
                 size_t count, bool seconds, bool on_device) {
  const char *title = !seconds    ? "Margin over time"
                      : on_device ? "Seconds of one run over time (device)"
                                  : "Seconds of one run over time";
  assay_plot *plot = assay_plots_add(&page->plots, figure, HEIGHT, title,
                                     "One point for each invocation, the oldest first.");
  double largest = 0, least = INFINITY;
  assay_text_print(&plot->script, "$d << EOD\n");
  for (size_t i = 0; i < count; i++) {
    double value = seconds ? points[i].seconds_run : points[i].margin;
    if (!isfinite(value))
      continue;
    largest = fmax(largest, value);
    least = fmin(least, value);
    assay_text_print(&plot->script, "%zu %.9g %d\n", i + 1, value,
                     assay_verdict_is_bad(points[i].verdict));
  }
  const char *x = assay_plot_label(page->arena, plot, "invocation", 20);
  const char *y = assay_plot_label(page->arena, plot,
                                   !seconds    ? "margin"
                                   : on_device ? "seconds (device)"
                                               : "seconds",
                                   20);
  bool wide = least > 0 && largest > 50 * least;
  assay_text_print(&plot->script, "EOD\n");
  if (wide)
    assay_text_print(&plot->script, "set logscale y\n");
  else
    assay_text_print(&plot->script, "set yrange [0:%.9g]\n", largest > 0 ? largest * 1.15 : 1);
  assay_text_print(
      &plot->script,
      "set border 3\nset lmargin 9\nset rmargin 2\nset tmargin 1.8\nset bmargin 3.2\nset xrange "
      "[0.5:%zu.5]\nset format y '%%g'\nset xlabel '%s'\nset label '%s' at graph 0,1 offset "
      "-7.5,1.1\nset xtics autofreq\nplot $d using 1:2 with linespoints pt 7 ps 0.6 lc rgb "
      "'#000001', $d using 1:($3>0?$2:NaN) with points pt 2 ps 1.6 lw 2 lc rgb '#000002'\n",
      count, x, y);
}

// As of a record that the same clock timed.
static assay_quantity print_seconds(const assay_history_point *point) {
  const assay_record record = {.clock = point->on_device ? "device" : NULL};
  return assay_print_run(&record, point->seconds_run);
}

static void add_table(assay_page *page, xmlNodePtr place, const assay_history_point points[],
                      size_t count) {
  static const char *const heads[] = {"#n",      "started",  "revision", "verdict",
                                      "#margin", "#seconds", NULL};
  xmlNodePtr table = assay_dom_table(&page->dom, place, heads);
  for (size_t i = 0; i < count && page->dom.bytes < ASSAY_PAGE_LIST_BYTES; i++) {
    const char *const cells[] = {
        assay_arena_format(page->arena, "%zu", i + 1),
        assay_clip(page->arena, points[i].started, 32),
        assay_clip(page->arena, points[i].revision, 16),
        assay_verdict_name(points[i].verdict),
        assay_arena_string(page->arena, assay_print_number(points[i].margin).text),
        assay_arena_string(page->arena, print_seconds(&points[i]).text)};
    assay_dom_row(&page->dom, table, heads, cells);
  }
}

// That of the newest seconds, of the record or else of its past.
static bool is_on_device(const assay_record *record, const assay_history_point points[],
                         size_t count) {
  if (record->clock != NULL || isfinite(record->seconds_run))
    return record->clock != NULL;
  while (count > 0 && !isfinite(points[count - 1].seconds_run))
    count--;
  return count > 0 && points[count - 1].on_device;
}

// The points of one clock, and those without seconds: another clock's would make a jump that no
// change made.
static const assay_history_point *of_clock(assay_arena *arena, bool on_device,
                                           const assay_history_point points[], size_t *count) {
  assay_history_point *kept = assay_arena_take(arena, *count, sizeof *kept);
  size_t left = 0;
  for (size_t i = 0; i < *count; i++)
    if (points[i].on_device == on_device || !isfinite(points[i].seconds_run))
      kept[left++] = points[i];
  *count = left;
  return kept;
}

// One case; nothing where it has no past.
static assay_code add_case(assay_page *page, xmlNodePtr *section, const assay_record *record,
                           bool *out_added, assay_error *err) {
  const assay_history *history = page->totals->history;
  const assay_history_point *points;
  size_t count;
  *out_added = false;
  TRY(history->find(history->user, page->arena, record->kind, record->key, &points, &count, err));
  bool on_device = is_on_device(record, points, count);
  points = of_clock(page->arena, on_device, points, &count);
  if (count < 2)
    return ASSAY_OK;
  if (count > MOST_POINTS) {
    points += count - MOST_POINTS;
    count = MOST_POINTS;
  }
  if (*section == NULL) {
    xmlNodePtr whole = assay_page_section(page, "history", "History", "History");
    assay_dom_add_class(&page->dom, whole, "p", "dim", "A cross marks a bad verdict.");
    *section = assay_dom_add_class(&page->dom, whole, "div", "plots", NULL);
  }
  bool seconds = record->kind == ASSAY_RECORD_BENCH && is_finite_count(points, count, true);
  xmlNodePtr figure = assay_page_figure(page, *section, assay_clip(page->arena, record->key, 200));
  xmlNodePtr place = assay_dom_add(&page->dom, figure, "div", NULL);
  if (seconds || is_finite_count(points, count, false))
    draw(page, place, points, count, seconds, on_device);
  add_table(page, assay_dom_details(&page->dom, figure, "as numbers"), points, count);
  *out_added = true;
  return ASSAY_OK;
}

assay_code assay_page_history(assay_page *page, assay_error *err) {
  xmlNodePtr section = NULL;
  if (page->totals->history == NULL)
    return ASSAY_OK;
  bool *asked = assay_arena_take(page->arena, page->count, sizeof *asked);
  size_t added = 0;
  for (size_t turn = 0; turn < MOST_ASKED && added < MOST_CASES; turn++) {
    const assay_record *best = NULL;
    for (size_t i = 0; i < page->count; i++)
      if (!asked[i] && (best == NULL || interest(&page->records[i], added) > interest(best, added)))
        best = &page->records[i];
    if (best == NULL)
      break;
    asked[best - page->records] = true;
    bool did_add;
    TRY(add_case(page, &section, best, &did_add, err));
    added += did_add;
  }
  return ASSAY_OK;
}
