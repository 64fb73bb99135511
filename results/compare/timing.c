// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/timing.h"
#include "compiler/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

assay_samples assay_timing_samples(const assay_record *record, assay_metric_kind kind) {
  if (kind == ASSAY_METRIC_RUN)
    return (assay_samples){record->run_samples, record->run_sample_count};
  return (assay_samples){record->compile_samples, record->compile_sample_count};
}

static bool are_times(assay_samples samples) {
  for (size_t i = 0; i < samples.count; i++)
    if (!(samples.seconds[i] > 0) || isinf(samples.seconds[i]))
      return false;
  return true;
}

static const char *show(const char *word) {
  return word != NULL ? word : "none";
}

static const char *differ(assay_arena *arena, const char *what, const char *base, const char *new) {
  if (assay_text_equal(base, new))
    return NULL;
  return assay_arena_format(arena, "another %s: %s, then %s", what, show(base), show(new));
}

static const char *differ_in_threads(assay_arena *arena, int base, int new) {
  if (base == new)
    return NULL;
  return assay_arena_format(arena, "other threads: %d, then %d", base, new);
}

static const char *differ_in_peak(assay_arena *arena, const char *whose, const char *what,
                                  double base, double new, double limit) {
  if (assay_peak_alike(base, new, limit))
    return NULL;
  return assay_arena_format(arena, "the %s itself differed: %s at its peak, then %s", whose,
                            assay_arena_format(arena, "%.4g %s", base, what),
                            assay_arena_format(arena, "%.4g", new));
}

// Where a device timed them.
static const char *differ_in_device(assay_arena *arena, const assay_record *base,
                                    const assay_environment *old, const assay_record *new,
                                    const assay_environment *now) {
  const char *found = differ(arena, "clock", base->clock, new->clock);
  return found != NULL || base->clock == NULL ? found : differ(arena, "GPU", old->cuda, now->cuda);
}

static const char *differ_in_peaks(assay_arena *arena, const assay_record *base,
                                   const assay_environment *old, const assay_environment *now,
                                   double limit) {
  const struct {
    const char *what;
    double old, now;
  } peaks[] = {{"GFLOP/s f32", old->peak_gflops_f32, now->peak_gflops_f32},
               {"GFLOP/s f64", old->peak_gflops_f64, now->peak_gflops_f64},
               {"GB/s", old->peak_gbs, now->peak_gbs}};
  const char *whose = base->clock != NULL ? "device" : "machine", *found = NULL;
  for (size_t i = 0; i < sizeof peaks / sizeof *peaks && found == NULL; i++)
    found = differ_in_peak(arena, whose, peaks[i].what, peaks[i].old, peaks[i].now, limit);
  return found;
}

// Compiling is the processor's: it has nothing to do with the device whose clock timed the runs,
// and the processor's own peaks are not known there.
static const char *differ_in_environment(assay_arena *arena, const assay_comparison_row *row,
                                         bool paired, double limit) {
  static const assay_environment unknown = {0};
  const assay_record *base = row->base, *new = row->new;
  bool runs = row->kind == ASSAY_METRIC_RUN;
  const assay_environment *old = base->environment != NULL ? base->environment : &unknown;
  const assay_environment *now = new->environment != NULL ? new->environment : &unknown;
  const char *found = differ(arena, "CPU", old->cpu, now->cpu);
  if (found == NULL)
    found = differ(arena, "BLAS core", old->blas_core, now->blas_core);
  if (found == NULL)
    found = differ(arena, "BLAS", old->blas, now->blas);
  if (found == NULL)
    found = differ(arena, "LLVM", old->llvm, now->llvm);
  if (found == NULL)
    found = differ_in_threads(arena, base->threads, new->threads);
  if (found == NULL && base->cold != new->cold)
    found = base->cold ? "cold caches, then warm ones" : "warm caches, then cold ones";
  if (found == NULL && runs)
    found = differ_in_device(arena, base, old, new, now);
  if (!runs && (base->clock != NULL || new->clock != NULL))
    return found;
  return found != NULL || paired ? found : differ_in_peaks(arena, base, old, now, limit);
}

const char *assay_timing_obstacle(assay_arena *arena, const assay_comparison_row *row, bool paired,
                                  double peak_difference) {
  if (!are_times(assay_timing_samples(row->base, row->kind)) ||
      !are_times(assay_timing_samples(row->new, row->kind)))
    return "there are samples that are no times above 0";
  return differ_in_environment(arena, row, paired, peak_difference);
}

// Of log(new / base).
static assay_interval compare_pairs(assay_arena *arena, assay_statistics *statistics,
                                    assay_samples base, assay_samples new, double alpha,
                                    assay_comparison_row *row) {
  size_t count = base.count < new.count ? base.count : new.count;
  double *logs = assay_arena_take(arena, count, sizeof *logs);
  for (size_t i = 0; i < count; i++)
    logs[i] = log(new.seconds[i] / base.seconds[i]);
  assay_interval found = assay_paired_interval(statistics, logs, count, alpha);
  row->p = fmin(1, 2 * fmin(assay_signed_rank_test(statistics, logs, count).p,
                            assay_sign_test(logs, count).p));
  row->ratio = exp(found.estimate);
  if (isinf(found.high))
    row->reason = assay_arena_format(arena, "%zu pairs; at this false-alarm rate it takes %zu",
                                     count, assay_paired_needs(alpha));
  return found;
}

static assay_interval compare_samples(assay_arena *arena, assay_statistics *statistics,
                                      assay_samples base, assay_samples new, double alpha,
                                      assay_comparison_row *row) {
  double *logs = assay_arena_take(arena, base.count + new.count, sizeof *logs);
  for (size_t i = 0; i < base.count; i++)
    logs[i] = log(base.seconds[i]);
  for (size_t i = 0; i < new.count; i++)
    logs[base.count + i] = log(new.seconds[i]);
  assay_interval found =
      assay_rank_sum_interval(statistics, logs, base.count, logs + base.count, new.count, alpha);
  row->p = assay_rank_sum_test(statistics, logs, base.count, logs + base.count, new.count).p;
  row->ratio = row->new_value / row->base_value;
  // Where samples fall into two heaps the medians may be of different ones.
  if (row->ratio < exp(found.low) || row->ratio > exp(found.high))
    row->ratio = exp(found.estimate);
  if (isinf(found.high))
    row->reason =
        assay_arena_format(arena, "%zu and %zu samples; at this false-alarm rate it takes %zu each",
                           base.count, new.count, assay_rank_sum_needs(alpha));
  return found;
}

static double least(assay_samples samples) {
  double found = INFINITY;
  for (size_t i = 0; i < samples.count; i++)
    found = fmin(found, samples.seconds[i]);
  return found;
}

static assay_change call(const assay_comparison_row *row, const assay_band *band) {
  if (row->low > 1 + band->effect)
    return ASSAY_SLOWER;
  if (row->high < 1 / (1 + band->effect))
    return ASSAY_FASTER;
  if (row->low >= 1 / (1 + band->same) && row->high <= 1 + band->same)
    return ASSAY_SAME;
  return ASSAY_UNSURE;
}

// Whether the fastest of both sides say the same. What disturbs a machine only adds time, and is
// least in the fastest: where those are alike, one side was disturbed for longer than the other.
static bool fastest_agree(assay_samples base, assay_samples new, assay_change change,
                          const assay_band *band) {
  double ratio = least(new) / least(base);
  return change == ASSAY_SLOWER   ? ratio > 1 + band->effect
         : change == ASSAY_FASTER ? ratio < 1 / (1 + band->effect)
                                  : true;
}

void assay_timing_judge(assay_arena *arena, assay_statistics *statistics, bool paired, double alpha,
                        const assay_timing_limits *limits, assay_comparison_row *row) {
  assay_samples base = assay_timing_samples(row->base, row->kind);
  assay_samples new = assay_timing_samples(row->new, row->kind);
  const assay_band *band = paired ? &limits->paired : &limits->unpaired;
  const char *obstacle = row->reason;
  row->change = ASSAY_UNSURE;
  if (new.count > 0 && (!are_times(base) || !are_times(new)))
    return;
  row->base_value = assay_median(statistics, base.seconds, base.count);
  if (new.count == 0) {
    row->change = ASSAY_VANISHED;
    row->worse = true;
    row->gates = limits->gate;
    row->reason = "it passes, but nobody timed it any more";
    return;
  }
  row->new_value = assay_median(statistics, new.seconds, new.count);
  assay_interval logs = paired ? compare_pairs(arena, statistics, base, new, alpha, row)
                               : compare_samples(arena, statistics, base, new, alpha, row);
  row->low = exp(logs.low);
  row->high = exp(logs.high);
  if (obstacle != NULL) {
    row->reason = obstacle;
    return;
  }
  row->change = call(row, band);
  if (!paired && !fastest_agree(base, new, row->change, band)) {
    row->change = ASSAY_UNSURE;
    row->reason = "the fastest runs of both are alike: the machine was disturbed on one side";
  }
  row->worse = row->change == ASSAY_SLOWER;
  row->gates = row->worse && limits->gate;
  if (row->change == ASSAY_UNSURE && row->reason == NULL)
    row->reason = "the interval holds both a change and none: take more repetitions";
}
