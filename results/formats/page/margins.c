// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/columns.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPS = 40, ROW_HEIGHT = 22 };

// What the plot shows of margins: below and above, they stand at its edges.
static const double LEAST = 1e-4, MOST = 1e2;

typedef struct spread {
  const char *op;
  size_t count, exact;                       // exact: margin 0
  double low, quarter, half, third, largest; // of the others: 5 %, quartiles, the largest
} spread;

static int compare_records(const void *a, const void *b) {
  const assay_record *left = *(const assay_record *const *)a;
  const assay_record *right = *(const assay_record *const *)b;
  int order = strcmp(left->op, right->op);
  return order != 0 ? order : (left->margin > right->margin) - (left->margin < right->margin);
}

static spread measure(assay_arena *arena, const assay_record *const records[], size_t count) {
  spread made = {.op = records[0]->op, .count = count};
  while (made.exact < count && records[made.exact]->margin == 0)
    made.exact++;
  made.low = made.quarter = made.half = made.third = made.largest = NAN;
  size_t rest = count - made.exact;
  if (rest == 0)
    return made;
  double *margins = assay_arena_take(arena, rest, sizeof *margins);
  for (size_t i = 0; i < rest; i++)
    margins[i] = fmin(records[made.exact + i]->margin, 1e300); // inf - inf is no margin
  made.low = assay_quantile(margins, rest, 0.05);
  made.quarter = assay_quantile(margins, rest, 0.25);
  made.half = assay_quantile(margins, rest, 0.5);
  made.third = assay_quantile(margins, rest, 0.75);
  made.largest = records[count - 1]->margin;
  return made;
}

static spread *collect(assay_page *page, size_t *out_count) {
  const assay_record **sorted = assay_arena_take(page->arena, page->count, sizeof *sorted);
  size_t total = 0;
  *out_count = 0;
  for (size_t i = 0; i < page->count; i++)
    if (page->records[i].margin >= 0 && page->records[i].kind != ASSAY_RECORD_BENCH)
      sorted[total++] = &page->records[i];
  if (total > 0)
    qsort(sorted, total, sizeof *sorted, compare_records);
  spread *spreads = assay_arena_take(page->arena, total, sizeof *spreads);
  for (size_t i = 0, next; i < total; i = next) {
    for (next = i + 1; next < total && strcmp(sorted[next]->op, sorted[i]->op) == 0;)
      next++;
    spreads[(*out_count)++] = measure(page->arena, sorted + i, next - i);
  }
  return spreads;
}

static double inside(double margin) {
  return fmin(fmax(margin, LEAST), MOST);
}

// The decades that hold everything shown, the bound among them.
static void find_range(const spread spreads[], size_t count, double *out_least, double *out_most) {
  double low = 0.1, high = 1;
  for (size_t i = 0; i < count; i++) {
    low = fmin(low, inside(spreads[i].low));
    high = fmax(high, inside(spreads[i].largest));
  }
  *out_least = pow(10, floor(log10(low)));
  *out_most = high > 1 ? pow(10, ceil(log10(high))) : 2;
}

static void draw(assay_page *page, xmlNodePtr figure, const spread spreads[], size_t count) {
  assay_plot *plot = assay_plots_add(&page->plots, figure, (int)count * ROW_HEIGHT + 70,
                                     "Distribution of margins by operation",
                                     "A line from the 5 % quantile to the largest, a box between "
                                     "the quartiles, and a point at the "
                                     "largest, over a logarithmic scale whose 1 is the bound.");
  assay_text data = {.arena = page->arena}, ticks = {.arena = page->arena};
  for (size_t i = 0; i < count; i++) {
    const spread *of = &spreads[i];
    size_t y = count - 1 - i;
    assay_text_print(&ticks, "%s'%s' %zu", i > 0 ? ", " : "",
                     assay_plot_label(page->arena, plot, of->op, 15), y);
    if (of->exact < of->count)
      assay_text_print(&data, "%zu %.9g %.9g %.9g %.9g %.9g\n", y, inside(of->low),
                       inside(of->quarter), inside(of->half), inside(of->third),
                       inside(of->largest));
  }
  double least, most;
  find_range(spreads, count, &least, &most);
  const char *bound = assay_plot_label(page->arena, plot, "bound", 12);
  const char *x = assay_plot_label(page->arena, plot, "margin (results that are not exact)", 40);
  assay_text_print(
      &plot->script,
      "$d << EOD\n%sEOD\nset logscale x\nset format x '%%g'\nset border 1\nset lmargin 14.5\nset "
      "rmargin 2\nset tmargin 1.4\nset bmargin 3.2\nset xrange [%g:%g]\nset yrange [-0.7:%zu-0.3]\n"
      "set ytics scale 0 (%s)\nset xlabel '%s'\nset arrow from 1,graph 0 to 1,graph 1 nohead dt 2 "
      "lc rgb 'black'\nset label '%s' at 1,graph 1 center offset 0,0.6\n"
      "plot $d using 6:1:2:6 with xerrorbars pt 7 ps 0.6 lc rgb '#000001', $d using "
      "3:1:3:5:($1-0.28):($1+0.28) with boxxyerror lc rgb '#000001'\n",
      assay_text_get(&data), least / 1.2, most * 1.2, count, assay_text_get(&ticks), x, bound);
}

static const char *print(const assay_page *page, double margin) {
  return assay_arena_string(page->arena, assay_print_number(margin).text);
}

static void add_table(assay_page *page, xmlNodePtr place, const spread spreads[], size_t count) {
  static const char *const heads[] = {"operation", "#results",  "#exact",   "#5 %", "#quartile",
                                      "#median",   "#quartile", "#largest", NULL};
  xmlNodePtr table = assay_dom_table(&page->dom, place, heads);
  size_t i = 0;
  for (; i < count && page->dom.bytes < ASSAY_PAGE_LIST_BYTES; i++) {
    const spread *of = &spreads[i];
    const char *const cells[] = {of->op,
                                 assay_arena_format(page->arena, "%zu", of->count),
                                 assay_arena_format(page->arena, "%zu", of->exact),
                                 print(page, of->low),
                                 print(page, of->quarter),
                                 print(page, of->half),
                                 print(page, of->third),
                                 print(page, of->largest)};
    assay_dom_row(&page->dom, table, heads, cells);
  }
  assay_page_left_out(page, place, count - i, "operations");
}

void assay_page_margins(assay_page *page) {
  size_t count, drawn = 0;
  spread *spreads = collect(page, &count);
  spread *inexact = assay_arena_take(page->arena, count, sizeof *inexact);
  for (size_t i = 0; i < count && drawn < MOST_OPS; i++)
    if (spreads[i].exact < spreads[i].count)
      inexact[drawn++] = spreads[i];
  if (count == 0)
    return;
  xmlNodePtr section = assay_page_section(page, "margins", "Margins", "Margins by operation");
  if (drawn > 0)
    draw(page,
         assay_page_figure(page, section,
                           "How much of the bound rounding errors use: the quartiles as a box, a "
                           "line from the 5 % quantile to the largest (beyond 100 at the edge)"),
         inexact, drawn);
  else
    assay_dom_add_class(&page->dom, section, "p", "dim", "All results are exact.");
  add_table(page, assay_dom_details(&page->dom, section, "The margins as numbers"), spreads, count);
}
