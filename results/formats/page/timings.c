// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 40, MOST_ROWS = 300, ROW_HEIGHT = 24 };

typedef struct timing {
  const assay_record *record;
  assay_measure run;
} timing;

// As texts, but for whole numbers, which are in the order of their values: t=64 before t=256.
static int compare_lines(const char *a, const char *b) {
  for (; *a != '\0' && *b != '\0'; a++, b++) {
    if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      size_t left = strspn(a, "0123456789"), right = strspn(b, "0123456789");
      int order = left != right ? (left > right) - (left < right) : strncmp(a, b, left);
      if (order != 0)
        return order;
      a += left - 1;
      b += right - 1;
    } else if (*a != *b) {
      break;
    }
  }
  return (unsigned char)*a - (unsigned char)*b;
}

static int compare_timings(const void *a, const void *b) {
  const assay_record *left = ((const timing *)a)->record, *right = ((const timing *)b)->record;
  int order = strcmp(left->op, right->op);
  if (order == 0)
    order = compare_lines(left->line, right->line);
  if (order == 0)
    order = strcmp(left->key, right->key);
  return order;
}

static timing *collect(assay_page *page, size_t *out_count) {
  timing *found = assay_arena_take(page->arena, page->count, sizeof *found);
  *out_count = 0;
  for (size_t i = 0; i < page->count; i++) {
    const assay_record *record = &page->records[i];
    if (record->kind != ASSAY_RECORD_BENCH || record->run_sample_count == 0)
      continue;
    assay_measure run =
        assay_measure_make(page->arena, record->run_samples, record->run_sample_count);
    if (run.count > 0)
      found[(*out_count)++] = (timing){record, run};
  }
  if (*out_count > 0)
    qsort(found, *out_count, sizeof *found, compare_timings);
  return found;
}

// GPT-2's block where it was timed, else everything; at most MOST_BARS.
static size_t choose(const timing found[], size_t count, size_t *out_first, size_t *out_left) {
  size_t chosen = 0;
  *out_first = 0;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(found[i].record->op, "gpt2_block") != 0)
      continue;
    *out_first = chosen == 0 ? i : *out_first;
    chosen++;
  }
  chosen = chosen > 0 ? chosen : count;
  *out_left = chosen > MOST_BARS ? chosen - MOST_BARS : 0;
  return chosen - *out_left;
}

static bool starts_group(const timing bars[], size_t i) {
  return i == 0 || strcmp(bars[i].record->line, bars[i - 1].record->line) != 0;
}

// What tells bars of one case apart besides the backend.
static const char *bar_name(const assay_page *page, const assay_record *record) {
  return record->cold ? assay_arena_format(page->arena, "%s cold", record->backend)
                      : record->backend;
}

// The longest time of the case that the bar belongs to.
static double slowest_of(const timing bars[], size_t count, size_t i) {
  double slowest = 0;
  while (i > 0 && !starts_group(bars, i))
    i--;
  for (size_t k = i; k < count && (k == i || !starts_group(bars, k)); k++)
    slowest = fmax(slowest, fmax(bars[k].run.median, bars[k].run.high));
  return slowest > 0 ? slowest : 1;
}

// One row for each bar, and one above each case for its name. Bars are relative to the slowest of
// their case: cases differ by much more than backends do.
static void draw_bars(assay_page *page, xmlNodePtr figure, const timing bars[], size_t count) {
  size_t rows = count, row = 0;
  for (size_t i = 0; i < count; i++)
    rows += starts_group(bars, i);
  assay_plot *plot = assay_plots_add(
      &page->plots, figure, (int)rows * ROW_HEIGHT + 64, "Time of one run, by case and backend",
      "Horizontal bars: the median, relative to the slowest of the case; the thin line: from the "
      "lower to the upper quartile.");
  assay_text data = {.arena = page->arena}, labels = {.arena = page->arena};
  assay_text ticks = {.arena = page->arena};
  for (size_t i = 0; i < count; i++) {
    const timing *bar = &bars[i];
    double percent = 100 / slowest_of(bars, count, i);
    if (starts_group(bars, i))
      assay_text_print(
          &labels, "set label '%s' at screen 0.015, first %zu\n",
          assay_plot_label(page->arena, plot, assay_page_line(page, bar->record, 58), 58),
          rows - 1 - row++);
    size_t y = rows - 1 - row++;
    assay_text_print(&data, "%.9g %zu %.9g %.9g %d\n", bar->run.median * percent, y,
                     bar->run.low * percent, bar->run.high * percent,
                     assay_page_color(page, bar->record->backend));
    assay_text_print(&ticks, "%s'%s' %zu", ticks.length > 0 ? ", " : "",
                     assay_plot_label(page->arena, plot, bar_name(page, bar->record), 12), y);
    assay_text_print(
        &labels, "set label '%s' at %.9g, %zu offset 0.8,0\n",
        assay_plot_label(page->arena, plot, assay_print_run(bar->record, bar->run.median).text, 20),
        fmax(bar->run.high, bar->run.median) * percent, y);
  }
  assay_text_print(&plot->script,
                   "$d << EOD\n%sEOD\nset border 1\nset lmargin 12\nset rmargin 1\n"
                   "set tmargin 0.4\nset bmargin 3.2\nset xrange [0:132]\nset xtics 0,25,100\nset "
                   "yrange [-0.7:%zu-0.4]\nset ytics scale 0 (%s)\nset xlabel '%s'\n%s"
                   "plot $d using (0):2:(0):1:($2-0.36):($2+0.36):(int($5)) with boxxyerror "
                   "lc rgb variable, $d using 1:2:3:4 with xerrorbars pt -1 lc rgb 'black'\n",
                   assay_text_get(&data), rows, assay_text_get(&ticks),
                   assay_plot_label(page->arena, plot, "% of the case's slowest", 40),
                   assay_text_get(&labels));
}

static const char *number(const assay_page *page, double value) {
  return assay_arena_string(page->arena, assay_print_number(value).text);
}

static void add_table(assay_page *page, xmlNodePtr section, const timing found[], size_t count) {
  static const char *const heads[] = {"*case",    "backend",  "#median", "#quartiles",
                                      "#GFLOP/s", "#of peak", "#GB/s",   "#compile",
                                      "#threads", "#samples", NULL};
  xmlNodePtr table = assay_dom_table(&page->dom, section, heads);
  size_t i = 0;
  for (; i < count && i < MOST_ROWS && page->dom.bytes < ASSAY_PAGE_LIST_BYTES; i++) {
    const assay_record *record = found[i].record;
    const assay_measure *run = &found[i].run;
    assay_measure compile =
        assay_measure_make(page->arena, record->compile_samples, record->compile_sample_count);
    double gflops = assay_record_gflops(record, run->median);
    double of_peak = assay_record_of_peak(record, gflops);
    const char *const cells[] = {
        assay_clip(page->arena, record->line, 200),
        bar_name(page, record),
        assay_arena_string(page->arena, assay_print_run(record, run->median).text),
        assay_arena_format(page->arena, "%s \u2013 %s", assay_print_seconds(run->low).text,
                           assay_print_seconds(run->high).text),
        number(page, gflops),
        isnan(of_peak) ? "-" : assay_arena_format(page->arena, "%.0f %%", of_peak * 100),
        number(page, assay_record_gbs(record, run->median)),
        assay_arena_string(page->arena, assay_print_seconds(compile.median).text),
        record->threads > 0 ? assay_arena_format(page->arena, "%d", record->threads) : "-",
        assay_arena_format(page->arena, "%zu", run->count)};
    assay_dom_row(&page->dom, table, heads, cells);
  }
  assay_page_left_out(page, section, count - i, "timings");
}

void assay_page_timings(assay_page *page) {
  size_t count, first, left;
  const timing *found = collect(page, &count);
  if (count == 0)
    return;
  size_t bars = choose(found, count, &first, &left);
  bool block = strcmp(found[first].record->op, "gpt2_block") == 0;
  xmlNodePtr section = assay_page_section(page, "timings", "Timings", "Timings");
  xmlNodePtr figure = assay_page_figure(
      page, section,
      assay_arena_format(page->arena,
                         "%sime of one run by backend, beside the slowest of each case: bars are "
                         "medians, lines quartiles",
                         block ? "GPT-2's block: t" : "T"));
  draw_bars(page, figure, found + first, bars);
  assay_page_left_out(page, section, left, "bars, which the table has");
  add_table(page,
            assay_dom_details(&page->dom, section,
                              assay_arena_format(page->arena, "All %zu timings", count)),
            found, count);
}
