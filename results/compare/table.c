// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/table.h"

#include "compiler/base/text.h"
#include "results/compare/columns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows of one gravity that are shown where not all are.
enum { SHOWN_FINDINGS = 50, SHOWN_OTHERS = 20 };

// From the gravest. What gates comes before what does not.
static int gravity(const assay_comparison_row *row) {
  static const int kinds[] = {[ASSAY_METRIC_VERDICT] = 0,
                              [ASSAY_METRIC_RUN] = 3,
                              [ASSAY_METRIC_COMPILE] = 3,
                              [ASSAY_METRIC_MARGIN] = 5,
                              [ASSAY_METRIC_COUNTER] = 4};
  enum { GONE = 1, BAD_FROM_THE_START = 2, WORSE_ONLY = 10, OTHERS = 20, ADDED = 30 };
  enum { UNKNOWN = 40, ALIKE = 50 };
  if (row->worse)
    return (row->gates ? 0 : WORSE_ONLY) + (row->change == ASSAY_VANISHED ? GONE
                                            : row->change == ASSAY_NEW    ? BAD_FROM_THE_START
                                                                          : kinds[row->kind]);
  if (row->change == ASSAY_SAME)
    return ALIKE;
  if (row->change == ASSAY_UNSURE)
    return UNKNOWN;
  return (row->change == ASSAY_NEW ? ADDED : OTHERS) + kinds[row->kind];
}

static double size_of_change(const assay_comparison_row *row) {
  return isnan(row->ratio) || row->ratio <= 0 ? INFINITY : fabs(log(row->ratio));
}

// A row in the place where it is shown. The two timings of a record stand together, where the
// graver and larger change of them belongs.
typedef struct listed {
  const assay_comparison_row *row;
  int gravity;
  double size;
  const assay_comparison_row *first; // of those that stand together
} listed;

// By gravity, then the largest change, then as they were; of one record the gravest first.
static int by_gravity(const void *a, const void *b) {
  const listed *x = a, *y = b;
  if (x->gravity != y->gravity)
    return x->gravity - y->gravity;
  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  if (x->first != y->first)
    return x->first > y->first ? 1 : -1;
  int order = gravity(x->row) - gravity(y->row);
  return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static assay_paint paint_of(const assay_comparison_row *row) {
  if (row->gates)
    return ASSAY_RED;
  if (row->worse || row->change == ASSAY_UNSURE)
    return ASSAY_YELLOW;
  return row->change == ASSAY_FASTER ? ASSAY_GREEN : ASSAY_PLAIN;
}

static const char *whole(assay_arena *arena, const assay_counter *counter) {
  return counter == NULL ? "-" : assay_arena_format(arena, "%" PRId64, counter->value);
}

void assay_comparison_values(assay_arena *arena, const assay_comparison_row *row,
                             const char **out_base, const char **out_new) {
  *out_base = *out_new = "-";
  if (row->kind == ASSAY_METRIC_VERDICT) {
    if (row->base != NULL)
      *out_base = assay_verdict_name(row->base->verdict);
    if (row->new != NULL)
      *out_new = assay_verdict_name(row->new->verdict);
    return;
  }
  if (row->kind == ASSAY_METRIC_COUNTER) {
    *out_base = whole(arena, row->base_counter);
    *out_new = whole(arena, row->new_counter);
    return;
  }
  const char *(*show)(assay_arena *, double) =
      row->kind == ASSAY_METRIC_MARGIN ? assay_columns_margin : assay_columns_seconds;
  *out_base = show(arena, row->base_value);
  *out_new = show(arena, row->new_value);
}

static const char *interval_of(assay_arena *arena, const assay_comparison_row *row) {
  if (isnan(row->low))
    return "";
  if (isinf(row->high))
    return "[any]";
  return assay_arena_format(arena, "[%s, %s]", assay_columns_change(arena, row->low),
                            assay_columns_change(arena, row->high));
}

static const assay_record *record_of(const assay_comparison_row *row) {
  return row->new != NULL ? row->new : row->base;
}

// "CASE  (bench)": which of a case's records is meant; behind `used` columns.
static void print_case(FILE *stream, assay_arena *arena, const assay_record *record, size_t used) {
  const char *kind = assay_record_kind_name(record->kind);
  size_t width = ASSAY_COLUMNS_WIDTH - used - strlen(kind) - 4;
  fprintf(stream, "%s  (%s)\n", assay_columns_fit(arena, record->key, width), kind);
}

// A case that is NEW or VANISHED: there is nothing to say of it but that, and what is bad of it.
static bool is_lone(const assay_comparison_row *row) {
  return row->base == NULL || row->new == NULL;
}

static void print_lone(FILE *stream, assay_arena *arena, const assay_comparison_row *row,
                       bool color) {
  enum { VERDICT = 8, USED = VERDICT + 2, REASON = ASSAY_COLUMNS_WIDTH - 4 };
  const char *bad = row->new != NULL && row->worse ? assay_verdict_name(row->new->verdict) : "";
  assay_paint_print(stream, color, paint_of(row), assay_change_name(row->change), VERDICT);
  fprintf(stream, "  %s%s", bad, bad[0] != '\0' ? "  " : "");
  print_case(stream, arena, record_of(row), USED + (bad[0] != '\0' ? strlen(bad) + 2 : 0));
  if (row->reason != NULL)
    fprintf(stream, "    %s\n", assay_columns_fit(arena, row->reason, REASON));
}

static const char *change_of(assay_arena *arena, const assay_comparison_row *row) {
  if (row->kind == ASSAY_METRIC_VERDICT)
    return "";
  // Too little for a ratio to tell.
  if (row->kind == ASSAY_METRIC_COUNTER && row->change == ASSAY_CHANGED && row->ratio == 1)
    return assay_arena_format(arena, "%+" PRId64,
                              row->new_counter->value - row->base_counter->value);
  return assay_columns_change(arena, row->ratio);
}

static void print_row(FILE *stream, assay_arena *arena, const assay_comparison_row *row,
                      bool color) {
  enum { METRIC = 24, REASON = ASSAY_COLUMNS_WIDTH - 4 };
  const char *base, *new;
  assay_comparison_values(arena, row, &base, &new);
  fputs("  ", stream);
  assay_paint_print(stream, color, paint_of(row), assay_change_name(row->change), 8);
  fprintf(stream, "  %-*s  %10s  %10s", METRIC, assay_columns_fit(arena, row->metric, METRIC), base,
          new);
  const char *change = change_of(arena, row);
  const char *interval = interval_of(arena, row);
  if (change[0] != '\0')
    fprintf(stream, "  %9s", change);
  if (interval[0] != '\0')
    fprintf(stream, "  %s", interval);
  fputc('\n', stream);
  if (row->reason != NULL)
    fprintf(stream, "    %s\n", assay_columns_fit(arena, row->reason, REASON));
}

// Those after the given one that are of its gravity.
static size_t alike(const listed rows[], size_t first, size_t count) {
  size_t end = first;
  while (end < count && rows[end].gravity == rows[first].gravity)
    end++;
  return end - first;
}

static void print_rows(FILE *stream, assay_arena *arena, const listed rows[], size_t count,
                       size_t total, bool color) {
  const assay_record *last = NULL;
  for (size_t i = 0; i < count; i++) {
    if (is_lone(rows[i].row)) {
      print_lone(stream, arena, rows[i].row, color);
      last = NULL;
      continue;
    }
    if (record_of(rows[i].row) != last)
      print_case(stream, arena, record_of(rows[i].row), 0);
    last = record_of(rows[i].row);
    print_row(stream, arena, rows[i].row, color);
  }
  if (count < total)
    fprintf(stream, "  ... and %zu more rows that are %s%s (--verbose, --format json=FILE)\n",
            total - count, assay_change_name(rows[0].row->change),
            rows[0].row->worse ? " for the worse" : "");
}

// Their reasons, each once with the number of rows, since one cause makes many.
static void print_unsure(FILE *stream, assay_arena *arena, const listed rows[], size_t count) {
  enum { REASONS = 20 };
  struct unsure {
    const char *text;
    bool counters;
    size_t rows;
  } reasons[REASONS];
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    bool counter = rows[i].row->kind == ASSAY_METRIC_COUNTER;
    while (k < known &&
           (reasons[k].counters != counter || strcmp(reasons[k].text, rows[i].row->reason) != 0))
      k++;
    if (k == REASONS)
      continue;
    if (k == known)
      reasons[known++] = (struct unsure){rows[i].row->reason, counter, 0};
    reasons[k].rows++;
  }
  for (size_t k = 0; k < known; k++)
    fprintf(stream, "UNSURE: %zu %s%s: %s\n", reasons[k].rows,
            reasons[k].counters ? "counter" : "timing", reasons[k].rows == 1 ? "" : "s",
            assay_columns_fit(arena, reasons[k].text, ASSAY_COLUMNS_WIDTH - 32));
}

static void print_lone_kinds(FILE *stream, assay_arena *arena, const assay_comparison *comparison,
                             bool color) {
  for (int kind = 0; kind < ASSAY_RECORD_KIND_COUNT; kind++) {
    const assay_lone_kind *lone = &comparison->lone_kinds[kind];
    const char *text = assay_comparison_lone_kind(arena, comparison, (assay_record_kind)kind);
    if (text != NULL)
      assay_paint_print(stream, color,
                        lone->gates      ? ASSAY_RED
                        : lone->base > 0 ? ASSAY_YELLOW
                                         : ASSAY_PLAIN,
                        text, 0);
    if (text != NULL)
      fputc('\n', stream);
  }
}

// Whether any of them is shown with its values.
static bool has_columns(const listed rows[], size_t count, bool unsure_too) {
  bool any = false;
  for (size_t i = 0; i < count && !any; i++)
    any = !is_lone(rows[i].row) && (unsure_too || rows[i].row->change != ASSAY_UNSURE);
  return any;
}

// Pairs were taken for their timings, which are shown whatever they say.
static bool is_shown(const assay_comparison *comparison, const assay_comparison_row *row,
                     bool verbose) {
  bool timing = row->kind == ASSAY_METRIC_RUN || row->kind == ASSAY_METRIC_COMPILE;
  return !row->whole_kind &&
         (verbose || row->change != ASSAY_SAME || (comparison->paired && timing));
}

static bool is_timing(const assay_comparison_row *row) {
  return row->kind == ASSAY_METRIC_RUN || row->kind == ASSAY_METRIC_COMPILE;
}

// Two rows one behind the other. Those that are UNSURE are told by their reasons, where not each is
// shown.
static void put_together(listed *one, listed *next, bool each) {
  if (!is_timing(one->row) || !is_timing(next->row) || one->row->new != next->row->new ||
      (!each && (one->row->change == ASSAY_UNSURE || next->row->change == ASSAY_UNSURE)))
    return;
  one->gravity = next->gravity = one->gravity < next->gravity ? one->gravity : next->gravity;
  one->size = next->size = fmax(one->size, next->size);
  next->first = one->first;
}

static listed *list_rows(assay_arena *arena, const assay_comparison *comparison, bool verbose,
                         size_t *out_count) {
  size_t count = 0;
  listed *rows = assay_arena_take(arena, comparison->count + 1, sizeof *rows);
  for (size_t i = 0; i < comparison->count; i++) {
    const assay_comparison_row *row = &comparison->rows[i];
    if (is_shown(comparison, row, verbose))
      rows[count++] = (listed){row, gravity(row), size_of_change(row), row};
  }
  for (size_t i = 1; i < count; i++)
    put_together(&rows[i - 1], &rows[i], verbose || comparison->paired);
  qsort(rows, count, sizeof *rows, by_gravity);
  *out_count = count;
  return rows;
}

static void print_shift(FILE *stream, assay_arena *arena, const char *metric,
                        const assay_shift *shift) {
  if (shift->count > 0)
    fprintf(stream,
            "%s: median of %zu ratios: %s, %zu of them that way (no verdict: see the rows)\n",
            metric, shift->count, assay_columns_change(arena, shift->median), shift->one_way);
}

void assay_comparison_print(FILE *stream, assay_arena *arena, const assay_comparison *comparison,
                            bool color, bool verbose) {
  size_t count;
  const listed *rows = list_rows(arena, comparison, verbose, &count);
  bool each = verbose || comparison->paired;
  if (has_columns(rows, count, each))
    fprintf(stream, "%-10s  %-24s  %10s  %10s  %9s  %s\n", "", "metric", "base", "new", "change",
            "interval");
  for (size_t i = 0, length; i < count; i += length) {
    length = alike(rows, i, count);
    size_t most = rows[i].row->worse ? SHOWN_FINDINGS : SHOWN_OTHERS;
    if (rows[i].row->change == ASSAY_UNSURE && !each)
      print_unsure(stream, arena, rows + i, length);
    else
      print_rows(stream, arena, rows + i, verbose || length < most ? length : most, length, color);
  }
  if (comparison->paired && comparison->timings > 0)
    fputs("change: of timings the median of the pairs' own ratios (Hodges-Lehmann), so that it may "
          "differ\n"
          "from new / base, which are medians of each side\n",
          stream);
  if (count > 0)
    fputc('\n', stream);
  print_shift(stream, arena, "run", &comparison->run_shift);
  print_shift(stream, arena, "compile", &comparison->compile_shift);
  print_lone_kinds(stream, arena, comparison, color);
  if (comparison->timings > 0)
    fprintf(
        stream,
        "%zu %s timings, of which any is called SLOWER or FASTER by chance with at most %.3g %%\n",
        comparison->timings, comparison->paired ? "paired" : "unpaired",
        100 * comparison->false_alarm_rate);
  fprintf(stream, "%s\n", assay_comparison_summary(arena, comparison));
}
