// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What counts as a change, and what of it fails a gate. The file's format, and what each setting
// means, is told in default.thresholds, which is built in.
#ifndef ASSAY_RESULTS_COMPARE_THRESHOLDS_H
#define ASSAY_RESULTS_COMPARE_THRESHOLDS_H

#include "compiler/base/file.h"

// Of timings; relative, so 0.01 is 1 %.
typedef struct assay_band {
  double effect, same;
} assay_band;

typedef struct assay_timing_limits {
  assay_band paired, unpaired;
  bool gate;
} assay_timing_limits;

typedef enum assay_counter_gate {
  ASSAY_COUNTER_NO,     // informs only
  ASSAY_COUNTER_MORE,   // fails where it grew
  ASSAY_COUNTER_LESS,   // where it fell
  ASSAY_COUNTER_CHANGE, // either
} assay_counter_gate;

typedef struct assay_counter_limits {
  double effect; // relative
  assay_counter_gate gate;
} assay_counter_limits;

// Those of one case, but for its counters.
typedef struct assay_limits {
  assay_timing_limits run, compile;
  double margin_factor, margin_floor, margin_gate_above;
  bool margin_gate, verdict_gate, first_bad_gate, new_gate, vanished_gate, vanished_kind_gate;
} assay_limits;

typedef struct assay_thresholds assay_thresholds;

// Reads `file` after the built-in text; NULL: that alone. ASSAY_INVALID with file and line for an
// unknown setting, naming the nearest, for a value of the wrong kind, and for what stands for the
// whole comparison below a pattern.
ASSAY_MUST_USE assay_code assay_thresholds_read(assay_arena *arena, const assay_file *file,
                                                const assay_thresholds **out_thresholds,
                                                assay_error *err);

// What a line of the given file is about: the cases of a pattern, one counter, or both.
typedef struct assay_threshold_subject {
  const struct assay_threshold_subject *next;
  const char *file;
  int line;
  const char *pattern, *counter; // NULL: all cases; none, but the cases
} assay_threshold_subject;

// In the order of the lines; of the built-in text there are none. NULL: none at all.
const assay_threshold_subject *assay_thresholds_subjects(const assay_thresholds *thresholds);

// A pattern is a glob over the whole key, or the key's beginning in whole words.
bool assay_pattern_matches(const char *pattern, const char *key);

// Of the whole comparison; relative.
typedef struct assay_alarm_limits {
  double alarm_rate, row_alarm_rate, peak_difference;
} assay_alarm_limits;

assay_alarm_limits assay_thresholds_alarm(const assay_thresholds *thresholds);
assay_limits assay_thresholds_of(const assay_thresholds *thresholds, const char *key);
assay_counter_limits assay_thresholds_counter(const assay_thresholds *thresholds, const char *key,
                                              const char *name);

#endif
