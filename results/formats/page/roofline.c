// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/common/clean.h"
#include "results/formats/common/measure.h"
#include "results/formats/page/page.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 400, SHAPES = 5, HEIGHT = 340 };

// gnuplot's point types, and how a text shows them.
static const struct {
  int type;
  const char *sign;
} shapes[SHAPES] = {{7, "\u25cf"}, {9, "\u25b2"}, {5, "\u25a0"}, {13, "\u25c6"}, {11, "\u25bc"}};

typedef struct spot {
  const assay_record *record;
  double intensity, gflops; // FLOP a byte
} spot;

// Those of the processor, or of what a device's own clock timed: each have a roof of their own.
static size_t collect(assay_page *page, bool on_device, spot *spots) {
  size_t count = 0;
  for (size_t i = 0; i < page->count; i++) {
    const assay_record *record = &page->records[i];
    if (record->kind != ASSAY_RECORD_BENCH || (record->clock != NULL) != on_device ||
        !(record->flop > 0) || !(record->bytes > 0) || !isfinite(record->flop / record->bytes))
      continue;
    double median =
        assay_measure_make(page->arena, record->run_samples, record->run_sample_count).median;
    double gflops = assay_record_gflops(record, median);
    if (isfinite(gflops) && gflops > 0)
      spots[count++] = (spot){record, record->flop / record->bytes, gflops};
  }
  return count;
}

// The peaks of the newest record that has any.
static const assay_environment *find_peaks(const spot spots[], size_t count) {
  const assay_record *newest = NULL;
  for (size_t i = 0; i < count; i++) {
    const assay_record *record = spots[i].record;
    const assay_environment *env = record->environment;
    if (env == NULL || !(env->peak_gbs > 0) || !(env->peak_gflops_f32 > 0))
      continue;
    if (newest == NULL || (record->started != NULL && newest->started != NULL &&
                           strcmp(record->started, newest->started) > 0))
      newest = record;
  }
  return newest != NULL ? newest->environment : NULL;
}

// Whether some are of tensor cores, which are beyond the lines of other arithmetic.
static bool has_tensor_cores(const spot spots[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (assay_record_by_tensor_cores(spots[i].record))
      return true;
  return false;
}

static bool has_backend(const spot spots[], size_t count, const char *backend) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(spots[i].record->backend, backend) == 0)
      return true;
  return false;
}

static void draw_roof(assay_page *page, assay_plot *plot, const assay_environment *env,
                      double right) {
  const struct {
    const char *name;
    double peak;
  } roofs[] = {{"f32", env->peak_gflops_f32}, {"f64", env->peak_gflops_f64}};
  for (int i = 0; i < 2; i++)
    if (roofs[i].peak > 0)
      assay_text_print(&plot->script, "set label '%s' at %.9g,%.9g left offset 0.6,0\n",
                       assay_plot_label(page->arena, plot, roofs[i].name, 8), right, roofs[i].peak);
}

// What the lines are, in words: inside the plot they would hide points.
static void add_roof(assay_page *page, xmlNodePtr figure, const assay_environment *env) {
  assay_text text = {.arena = page->arena};
  assay_text_print(&text, "Lines: memory %s GB/s, then f32 %s GFLOP/s",
                   assay_print_number(env->peak_gbs).text,
                   assay_print_number(env->peak_gflops_f32).text);
  if (env->peak_gflops_f64 > 0)
    assay_text_print(&text, ", dashed f64 %s GFLOP/s",
                     assay_print_number(env->peak_gflops_f64).text);
  assay_dom_add_class(&page->dom, figure, "p", "dim", assay_text_get(&text));
}

static void draw(assay_page *page, xmlNodePtr figure, const spot spots[], size_t count,
                 const assay_environment *env) {
  double left = INFINITY, right = 0, low = INFINITY, high = 0;
  for (size_t i = 0; i < count; i++) {
    left = fmin(left, spots[i].intensity);
    right = fmax(right, spots[i].intensity);
    low = fmin(low, spots[i].gflops);
    high = fmax(high, spots[i].gflops);
  }
  if (env != NULL) {
    high = fmax(high, fmax(env->peak_gflops_f32, env->peak_gflops_f64));
    right = fmax(right, env->peak_gflops_f32 / env->peak_gbs);
  }
  left /= 2, right *= 3, low /= 2, high *= 2.5;
  assay_plot *plot = assay_plots_add(&page->plots, figure, HEIGHT, "Roofline",
                                     "Speed over arithmetic intensity, both logarithmic: one point "
                                     "per case and backend, below the "
                                     "lines of what the machine reaches.");
  const char *x = assay_plot_label(page->arena, plot, "FLOP per byte moved at least", 40);
  const char *y = assay_plot_label(page->arena, plot, "GFLOP/s", 40);
  assay_text_print(&plot->script,
                   "set logscale xy\nset format '%%g'\nset border 3\nset xrange [%.9g:%.9g]\nset "
                   "yrange [%.9g:%.9g]\nset xlabel '%s'\nset ylabel '%s'\nset samples 400\nset "
                   "lmargin 8.5\nset rmargin 5\nset tmargin 0.5\nset bmargin 3.2\n",
                   left, right, low, high, x, y);
  if (env != NULL)
    draw_roof(page, plot, env, right);
  const char *separator = "plot ";
  assay_text curves = {.arena = page->arena};
  for (size_t b = 0; b < page->backend_count; b++) {
    if (!has_backend(spots, count, page->backends[b]))
      continue;
    assay_text_print(&plot->script, "$b%zu << EOD\n", b);
    for (size_t i = 0; i < count && i < MOST_POINTS; i++)
      if (strcmp(spots[i].record->backend, page->backends[b]) == 0)
        assay_text_print(&plot->script, "%.9g %.9g\n", spots[i].intensity, spots[i].gflops);
    assay_text_print(&plot->script, "EOD\n");
    assay_text_print(&curves, "%s$b%zu using 1:2 with points pt %d ps 0.9 lc rgb '#00000%d'",
                     separator, b, shapes[b % SHAPES].type,
                     assay_page_color(page, page->backends[b]));
    separator = ", ";
  }
  assay_text_print(&plot->script, "%s", assay_text_get(&curves));
  if (env != NULL)
    assay_text_print(&plot->script, ", x*%.9g<%.9g?x*%.9g:%.9g with lines lc rgb 'black'",
                     env->peak_gbs, env->peak_gflops_f32, env->peak_gbs, env->peak_gflops_f32);
  if (env != NULL && env->peak_gflops_f64 > 0)
    assay_text_print(&plot->script, ", x*%.9g<%.9g?x*%.9g:%.9g with lines dt 2 lc rgb 'black'",
                     env->peak_gbs, env->peak_gflops_f64, env->peak_gbs, env->peak_gflops_f64);
  assay_text_print(&plot->script, "\n");
}

static void add_key(assay_page *page, xmlNodePtr figure, const spot spots[], size_t count) {
  xmlNodePtr list = assay_dom_add_class(&page->dom, figure, "ul", "key-list", NULL);
  for (size_t b = 0; b < page->backend_count; b++) {
    if (!has_backend(spots, count, page->backends[b]))
      continue;
    xmlNodePtr item = assay_dom_add(&page->dom, list, "li", NULL);
    const char *look =
        assay_arena_format(page->arena, "swatch c%dc", assay_page_color(page, page->backends[b]));
    assay_dom_add_class(&page->dom, item, "span", look, shapes[b % SHAPES].sign);
    assay_dom_text(&page->dom, item, assay_clip(page->arena, page->backends[b], 40));
  }
}

static void add_table(assay_page *page, xmlNodePtr place, const spot spots[], size_t count) {
  static const char *const heads[] = {"*case", "backend", "#FLOP/byte", "#GFLOP/s", NULL};
  xmlNodePtr table = assay_dom_table(&page->dom, place, heads);
  size_t i = 0;
  for (; i < count && i < MOST_POINTS && page->dom.bytes < ASSAY_PAGE_LIST_BYTES; i++) {
    const char *const cells[] = {
        assay_clip(page->arena, spots[i].record->line, 200), spots[i].record->backend,
        assay_arena_string(page->arena, assay_print_number(spots[i].intensity).text),
        assay_arena_string(page->arena, assay_print_number(spots[i].gflops).text)};
    assay_dom_row(&page->dom, table, heads, cells);
  }
  assay_page_left_out(page, place, count - i, "points");
}

static const char *caption(assay_page *page, bool on_device, const spot spots[],
                           const assay_environment *env) {
  const assay_environment *of = env != NULL ? env : spots[0].record->environment;
  const char *device =
      of != NULL && of->cuda != NULL ? assay_clip(page->arena, of->cuda, 100) : NULL;
  const char *where = on_device && device != NULL
                          ? assay_arena_format(page->arena, " on the device (%s)", device)
                      : on_device ? " on the device"
                                  : "";
  if (env == NULL)
    return assay_arena_format(page->arena, "%s peaks were not measured: the points%s stand alone",
                              on_device ? "The device's" : "The machine's", where);
  return assay_arena_format(page->arena,
                            "How near each case%s is to what %s reached when it was measured; what "
                            "works from a cache is above the slope of memory",
                            where, on_device ? "that" : "this machine");
}

static void add_figure(assay_page *page, xmlNodePtr section, bool on_device, const spot spots[],
                       size_t count) {
  if (count == 0)
    return;
  const assay_environment *env = find_peaks(spots, count);
  xmlNodePtr figure = assay_page_figure(page, section, caption(page, on_device, spots, env));
  size_t drawn = count < MOST_POINTS ? count : MOST_POINTS;
  draw(page, figure, spots, drawn, env);
  add_key(page, figure, spots, drawn);
  if (env != NULL)
    add_roof(page, figure, env);
  if (env != NULL && has_tensor_cores(spots, drawn))
    assay_dom_add_class(&page->dom, figure, "p", "dim",
                        "Cases with precision=tf32 may use tensor cores, whose peak is another "
                        "and was not measured: the lines are no roof of theirs");
}

void assay_page_roofline(assay_page *page) {
  spot *spots = assay_arena_take(page->arena, page->count, sizeof *spots);
  size_t here = collect(page, false, spots);
  size_t on_device = collect(page, true, spots + here);
  if (here + on_device == 0)
    return;
  xmlNodePtr section = assay_page_section(page, "roofline", "Roofline", "Roofline");
  add_figure(page, section, false, spots, here);
  add_figure(page, section, true, spots + here, on_device);
  add_table(page, assay_dom_details(&page->dom, section, "The points as numbers"), spots,
            here + on_device);
}
