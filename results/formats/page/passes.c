// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 8, PARTS = ASSAY_PLOT_COLORS, ROW_HEIGHT = 26 };

typedef struct bar {
  const assay_record *record;
  double total, part[PARTS + 1]; // seconds; the last part: all other passes
} bar;

// A pass by its name, over all bars.
typedef struct share {
  const char *name;
  double total;
} share;

static double seconds_of(const assay_pass_row *row) {
  return isfinite(row->seconds) && row->seconds > 0 ? row->seconds : 0;
}

static int compare_bars(const void *a, const void *b) {
  double left = ((const bar *)a)->total, right = ((const bar *)b)->total;
  return (left < right) - (left > right);
}

static int compare_shares(const void *a, const void *b) {
  double left = ((const share *)a)->total, right = ((const share *)b)->total;
  return (left < right) - (left > right);
}

static bar *collect(assay_page *page, size_t *out_count) {
  bar *bars = assay_arena_take(page->arena, page->count, sizeof *bars);
  *out_count = 0;
  for (size_t i = 0; i < page->count; i++) {
    bar made = {.record = &page->records[i]};
    for (size_t k = 0; k < made.record->pass_count; k++)
      made.total += seconds_of(&made.record->passes[k]);
    if (made.total > 0)
      bars[(*out_count)++] = made;
  }
  if (*out_count > 0)
    qsort(bars, *out_count, sizeof *bars, compare_bars);
  return bars;
}

// The passes of the bars, the longest first.
static share *rank(assay_page *page, const bar bars[], size_t count, size_t *out_count) {
  size_t room = 0;
  for (size_t i = 0; i < count; i++)
    room += bars[i].record->pass_count;
  share *shares = assay_arena_take(page->arena, room, sizeof *shares);
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < bars[i].record->pass_count; k++) {
      const assay_pass_row *row = &bars[i].record->passes[k];
      size_t at = 0;
      while (at < *out_count && strcmp(shares[at].name, row->name) != 0)
        at++;
      if (at == *out_count)
        shares[(*out_count)++] = (share){.name = row->name};
      shares[at].total += seconds_of(row);
    }
  }
  qsort(shares, *out_count, sizeof *shares, compare_shares);
  return shares;
}

static void divide(bar *of, const share shares[], size_t named) {
  for (size_t k = 0; k < of->record->pass_count; k++) {
    const assay_pass_row *row = &of->record->passes[k];
    size_t part = 0;
    while (part < named && strcmp(shares[part].name, row->name) != 0)
      part++;
    of->part[part < named ? part : PARTS] += seconds_of(row);
  }
}

// Each part has its number inside, where there is room.
static void draw_parts(assay_page *page, assay_plot *plot, const bar *of, double y, double longest,
                       double unit, assay_text *data, assay_text *labels) {
  double from = 0;
  for (int part = 0; part <= PARTS; part++) {
    double to = from + of->part[part] / unit;
    if (to > from)
      assay_text_print(data, "%.9g %.9g %.9g %d\n", from, to, y, part + 1);
    if (to - from > longest / unit * 0.045 && part < PARTS)
      assay_text_print(
          labels, "set label '%s' at %.9g,%.9g center front tc rgb '#00000a'\n",
          assay_plot_label(page->arena, plot, assay_arena_format(page->arena, "%d", part + 1), 8),
          (from + to) / 2, y);
    from = to;
  }
}

static void draw(assay_page *page, xmlNodePtr figure, const bar bars[], size_t count) {
  double longest = bars[0].total;
  double unit = longest >= 1 ? 1 : longest >= 1e-3 ? 1e-3 : 1e-6;
  size_t rows = 2 * count;
  assay_plot *plot = assay_plots_add(
      &page->plots, figure, (int)rows * ROW_HEIGHT + 60, "Time of each pass",
      "Stacked bars, one for each program: the seconds of its passes, of which the longest are "
      "numbered.");
  assay_text data = {.arena = page->arena}, labels = {.arena = page->arena};
  for (size_t i = 0; i < count; i++) {
    const assay_record *record = bars[i].record;
    const char *head = assay_arena_format(
        page->arena, "%s \u00b7 %s \u00b7 %s", assay_page_line(page, record, 42),
        assay_clip(page->arena, record->backend, 12), assay_print_seconds(bars[i].total).text);
    assay_text_print(&labels, "set label '%s' at screen 0.03, first %.9g\n",
                     assay_plot_label(page->arena, plot, head, 68), (double)(rows - 2 * i) - 1.15);
    draw_parts(page, plot, &bars[i], (double)(rows - 2 * i) - 2, longest, unit, &data, &labels);
  }
  const char *name = longest >= 1 ? "s" : longest >= 1e-3 ? "ms" : "\u00b5s";
  assay_text_print(
      &plot->script,
      "$d << EOD\n%sEOD\nset border 1\nunset ytics\nset lmargin 2\nset rmargin 2\nset tmargin "
      "0.3\nset bmargin 3.2\nset xrange [0:%.9g]\nset yrange [-0.6:%zu-0.4]\nset xlabel '%s'\n%s"
      "set xtics autofreq\nset format x '%%g'\n"
      "plot $d using 1:3:1:2:($3-0.4):($3+0.4):(int($4)) with boxxyerror "
      "lc rgb variable\n",
      assay_text_get(&data), longest / unit * 1.02, rows,
      assay_plot_label(page->arena, plot, name, 8), assay_text_get(&labels));
}

static void add_key(assay_page *page, xmlNodePtr figure, const share shares[], size_t named,
                    double rest) {
  xmlNodePtr list = assay_dom_add_class(&page->dom, figure, "ol", "key-list", NULL);
  for (size_t i = 0; i <= named; i++) {
    if (i == named && !(rest > 0))
      break;
    xmlNodePtr item = assay_dom_add(&page->dom, list, "li", NULL);
    const char *look =
        assay_arena_format(page->arena, "swatch c%zuc", i < named ? i + 1 : ASSAY_PLOT_MUTED);
    assay_dom_add_class(&page->dom, item, "span", look,
                        i < named ? assay_arena_format(page->arena, "%zu", i + 1) : "\u25a0");
    assay_dom_format(&page->dom, item, "span", "%s, %s",
                     i < named ? assay_clip(page->arena, shares[i].name, 60) : "all others",
                     assay_print_seconds(i < named ? shares[i].total : rest).text);
  }
}

static const char *print_ops(const assay_page *page, int64_t ops) {
  return ops < 0 ? "-" : assay_arena_format(page->arena, "%lld", (long long)ops);
}

static void add_table(assay_page *page, xmlNodePtr place, const assay_record *record) {
  static const char *const heads[] = {"#n",      "pass",    "#time", "#ops before", "#ops after",
                                      "changed", "#margin", "fault", NULL};
  xmlNodePtr table = assay_dom_table(&page->dom, place, heads);
  size_t i = 0;
  for (; i < record->pass_count && page->dom.bytes < ASSAY_PAGE_LIST_BYTES; i++) {
    const assay_pass_row *row = &record->passes[i];
    const char *const cells[] = {
        row->n > 0 ? assay_arena_format(page->arena, "%d", row->n) : "",
        assay_clip(page->arena, row->name, 80),
        assay_arena_string(page->arena, assay_print_seconds(row->seconds).text),
        print_ops(page, row->ops_before),
        print_ops(page, row->ops_after),
        row->changed ? "yes" : "no",
        assay_arena_string(page->arena, assay_print_number(row->margin).text),
        row->fault != NULL ? row->fault : ""};
    assay_dom_row(&page->dom, table, heads, cells);
  }
  assay_page_left_out(page, place, record->pass_count - i, "passes");
}

void assay_page_passes(assay_page *page) {
  size_t all, ranked;
  bar *bars = collect(page, &all);
  size_t count = all < MOST_BARS ? all : MOST_BARS;
  if (count == 0)
    return;
  const share *shares = rank(page, bars, count, &ranked);
  size_t named = ranked < PARTS ? ranked : PARTS;
  double rest = 0;
  for (size_t i = 0; i < count; i++) {
    divide(&bars[i], shares, named);
    rest += bars[i].part[PARTS];
  }
  xmlNodePtr section = assay_page_section(page, "passes", "Passes", "Time of each pass");
  xmlNodePtr figure =
      assay_page_figure(page, section, "Seconds of the passes of the programs that take longest");
  draw(page, figure, bars, count);
  add_key(page, figure, shares, named, rest);
  assay_page_left_out(page, section, all - count, "programs whose passes were timed");
  for (size_t i = 0; i < count; i++)
    add_table(
        page,
        assay_dom_details(&page->dom, section, assay_clip(page->arena, bars[i].record->key, 120)),
        bars[i].record);
}
