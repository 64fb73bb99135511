// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/timing.h"

#include "results/compare/differ.h"

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

const char *assay_timing_obstacle(assay_arena *arena, const assay_comparison_row *row, bool paired,
                                  double peak_difference) {
  if (!are_times(assay_timing_samples(row->base, row->kind)) ||
      !are_times(assay_timing_samples(row->new, row->kind)))
    return "there are samples that are no times above 0";
  return assay_differ_in_setting(arena, row, paired, peak_difference);
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
