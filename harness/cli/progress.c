// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/progress.h"
#include "harness/cli/color.h"
#include "compiler/base/clock.h"
#include "results/formats/common/columns.h"
#include "results/record/printable.h"

static const double LIVE_INTERVAL = 0.1, LOG_INTERVAL = 2;

assay_progress assay_progress_start(size_t total, bool quiet, bool verbose) {
  double now = assay_clock_now();
  return (assay_progress){.total = total,
                          .started = now,
                          .shown = now,
                          .live = assay_terminal_is_live(stderr),
                          .quiet = quiet,
                          .verbose = verbose};
}

static void show(assay_progress *progress, double now) {
  progress->shown = now;
  fprintf(stderr, "%sassay: %zu of %zu verdicts, %zu bad, %.1f s%s", progress->live ? "\r" : "",
          progress->done, progress->total, progress->bad, now - progress->started,
          progress->live ? "\033[K" : "\n");
}

void assay_progress_report(assay_progress *progress, const assay_record *record) {
  progress->done++;
  progress->bad += assay_verdict_is_bad(record->verdict);
  if (progress->quiet)
    return;
  if (progress->verbose) {
    assay_arena *arena = assay_arena_create();
    fprintf(stderr, "%s%s %s margin=%s%s%s\n", progress->live ? "\r\033[K" : "",
            assay_verdict_name(record->verdict), assay_printable(arena, record->key),
            assay_margin_print(record->margin).text, record->reason != NULL ? ": " : "",
            assay_printable(arena, record->reason));
    assay_arena_destroy(arena);
  }
  double now = assay_clock_now();
  if (now - progress->shown >= (progress->live ? LIVE_INTERVAL : LOG_INTERVAL))
    show(progress, now);
}

void assay_progress_end(const assay_progress *progress) {
  if (progress->live && !progress->quiet)
    fputs("\r\033[K", stderr);
}
