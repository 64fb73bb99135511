// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of a case's timings, at most 100 columns.
#include "harness/cli/bench_record.h"

#include "results/compare/columns.h"
#include "results/compare/statistics.h"

#include <math.h>
#include <string.h>

// "12.5 ms"
static const char *print_seconds(assay_arena *arena, double seconds) {
  if (seconds >= 1)
    return assay_arena_format(arena, "%.3g s", seconds);
  if (seconds >= 1e-3)
    return assay_arena_format(arena, "%.3g ms", seconds * 1e3);
  return assay_arena_format(arena, seconds >= 1e-6 ? "%.3g us" : "%.2g us", seconds * 1e6);
}

// How much longer it takes than the fastest one: the median of each round's own ratio where both
// were in every round.
static double ratio_to(assay_arena *arena, assay_statistics *statistics,
                       const assay_record *record, const assay_record *best) {
  size_t count = record->run_sample_count;
  if (count != best->run_sample_count)
    return record->seconds_run / best->seconds_run;
  double *ratios = assay_arena_take(arena, count, sizeof *ratios);
  for (size_t i = 0; i < count; i++)
    ratios[i] = record->run_samples[i] / best->run_samples[i];
  return assay_median(statistics, ratios, count);
}

static const assay_record *fastest(const assay_record *const records[], size_t count) {
  const assay_record *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (records[i]->run_sample_count > 0 &&
        (best == NULL || records[i]->seconds_run < best->seconds_run))
      best = records[i];
  return best;
}

// Of what the processor reached when it was measured, in the case's own floating type.
static const char *print_peak(assay_arena *arena, const assay_record *record) {
  const assay_environment *env = record->environment;
  double seconds = record->seconds_run;
  bool wide = strstr(record->line, "dtype=f64") != NULL;
  double peak = wide ? env->peak_gflops_f64 : env->peak_gflops_f32;
  if (record->flop > 0 && peak > 0)
    return assay_arena_format(arena, "%.0f %%", 100 * record->flop / seconds / 1e9 / peak);
  return "-";
}

static void print_row(FILE *stream, assay_arena *arena, assay_statistics *statistics,
                      const assay_record *record, const assay_record *best) {
  if (record->run_sample_count == 0) {
    enum { INDENT = 13 };
    const char *text = assay_arena_format(arena, "%s: %s", assay_verdict_name(record->verdict),
                                          record->reason != NULL ? record->reason : "");
    fprintf(stream, "  %-10s %s\n", record->backend,
            assay_columns_fit(arena, text, ASSAY_COLUMNS_WIDTH - INDENT));
    return;
  }
  double seconds = record->seconds_run;
  double low = assay_quantile(statistics, record->run_samples, record->run_sample_count, 0.25);
  double high = assay_quantile(statistics, record->run_samples, record->run_sample_count, 0.75);
  fprintf(stream, "  %-10s %10s %5.1f %% %8.2f %9s %8s %9.2f %11s %8zu\n", record->backend,
          print_seconds(arena, seconds), 50 * (high - low) / seconds, ratio_to(arena, statistics, record, best),
          record->flop > 0 ? assay_arena_format(arena, "%.3g", record->flop / seconds / 1e9) : "-",
          print_peak(arena, record), record->bytes / seconds / 1e9,
          record->compile_sample_count > 0 ? print_seconds(arena, record->seconds_compile) : "-",
          record->run_sample_count);
}

void assay_bench_print(FILE *stream, assay_arena *arena, const assay_record *const records[],
                       size_t count) {
  const assay_record *best = fastest(records, count);
  assay_statistics *statistics = assay_statistics_create(arena);
  const char *title = assay_arena_format(arena, "%s data=%s", records[0]->line, records[0]->data);
  fprintf(stream, "%s\n", assay_columns_fit(arena, title, ASSAY_COLUMNS_WIDTH));
  fprintf(stream, "  %-10s %10s %7s %8s %9s %8s %9s %11s %8s\n", "backend", "run", "+-", "ratio",
          "GFLOP/s", "of peak", "GB/s", "compile", "samples");
  for (size_t i = 0; i < count; i++)
    if (records[i]->verdict != ASSAY_SKIP)
      print_row(stream, arena, statistics, records[i], best);
}
