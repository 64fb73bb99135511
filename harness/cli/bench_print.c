// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of a case's timings, at most 100 columns.
#include "harness/cli/bench_record.h"

#include "results/compare/columns.h"
#include "results/formats/common/measure.h"
#include "results/record/printable.h"

#include <math.h>

// How much longer it takes than the fastest one: the median of each round's own ratio where both
// were in every round.
static double ratio_to(assay_arena *arena, const assay_record *record, const assay_record *best) {
  size_t count = record->run_sample_count;
  if (count != best->run_sample_count)
    return record->seconds_run / best->seconds_run;
  double *ratios = assay_arena_take(arena, count, sizeof *ratios);
  for (size_t i = 0; i < count; i++)
    ratios[i] = record->run_samples[i] / best->run_samples[i];
  return assay_measure_make(arena, ratios, count).median;
}

static const assay_record *fastest(const assay_record *const records[], size_t count) {
  const assay_record *best = NULL;
  for (size_t i = 0; i < count; i++)
    if (records[i]->run_sample_count > 0 &&
        (best == NULL || records[i]->seconds_run < best->seconds_run))
      best = records[i];
  return best;
}

// Who was compiled and not run, as a simulator is.
static void print_compiled(FILE *stream, assay_arena *arena, const assay_record *record) {
  fprintf(stream, "  %-10s %10s %7s %8s %9s %8s %9s %11s %8zu\n",
          assay_printable(arena, record->backend), "-", "-", "-", "-", "-", "-",
          assay_columns_seconds(arena, record->seconds_compile), record->compile_sample_count);
}

// Who has no time: why.
static void print_reason(FILE *stream, assay_arena *arena, const assay_record *record) {
  enum { INDENT = 13 };
  const char *text = assay_arena_format(arena, "%s: %s", assay_verdict_name(record->verdict),
                                        record->reason != NULL ? record->reason : "");
  fprintf(stream, "  %-10s %s\n", assay_printable(arena, record->backend),
          assay_columns_fit(arena, text, ASSAY_COLUMNS_WIDTH - INDENT));
}

// clocks: a row of this table is by a device's, and each says which it is by.
static void print_row(FILE *stream, assay_arena *arena, const assay_record *record,
                      const assay_record *best, bool clocks) {
  assay_measure run = assay_measure_make(arena, record->run_samples, record->run_sample_count);
  double gflops = assay_record_gflops(record, run.median);
  double part = assay_record_of_peak(record, gflops);
  const char *peak = isnan(part) ? "-" : assay_arena_format(arena, "%.0f %%", 100 * part);
  double compile = record->compile_sample_count > 0 ? record->seconds_compile : NAN;
  const char *spread =
      run.count > 1 ? assay_arena_format(arena, "%.1f %%", 50 * (run.high - run.low) / run.median)
                    : "-";
  const char *clock = !clocks ? "" : record->clock != NULL ? " device" : "   wall";
  fprintf(stream, "  %-10s %10s %7s %8.2f %9s %8s %9s %11s %8zu%s\n",
          assay_printable(arena, record->backend), assay_columns_seconds(arena, run.median), spread,
          ratio_to(arena, record, best), assay_print_number(gflops).text, peak,
          assay_print_number(assay_record_gbs(record, run.median)).text,
          assay_columns_seconds(arena, compile), record->run_sample_count, clock);
}

void assay_bench_print(FILE *stream, assay_arena *arena, const assay_record *const records[],
                       size_t count) {
  const assay_record *best = fastest(records, count);
  const char *title = assay_arena_format(arena, "%s data=%s", records[0]->line, records[0]->data);
  fprintf(stream, "%s\n", assay_columns_fit(arena, title, ASSAY_COLUMNS_WIDTH));
  bool clocks = false;
  for (size_t i = 0; i < count; i++)
    clocks = clocks || (records[i]->run_sample_count > 0 && records[i]->clock != NULL);
  fprintf(stream, "  %-10s %10s %7s %8s %9s %8s %9s %11s %8s%s\n", "backend", "run", "+-", "ratio",
          "GFLOP/s", "of peak", "GB/s", "compile", "samples", clocks ? "  clock" : "");
  for (size_t i = 0; i < count; i++) {
    if (records[i]->run_sample_count > 0)
      print_row(stream, arena, records[i], best, clocks);
    else if (records[i]->compile_sample_count > 0)
      print_compiled(stream, arena, records[i]);
    else
      print_reason(stream, arena, records[i]);
  }
}
