// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of a thresholds file: their names, and values of theirs. For thresholds.c.
#ifndef ASSAY_RESULTS_COMPARE_SETTING_H
#define ASSAY_RESULTS_COMPARE_SETTING_H

#include "results/compare/thresholds.h"

// Everything that a file sets, in one place.
typedef struct assay_setting_values {
  assay_alarm_limits alarm;
  assay_limits limits;
  assay_counter_limits counter;
} assay_setting_values;

typedef struct assay_setting assay_setting;

// One line of a file.
typedef struct assay_assignment {
  const struct assay_assignment *next;
  const assay_setting *setting;
  const char *counter; // "counter.NAME.gate" is about it; NULL: about all
  union {
    double number;
    bool yes;
    assay_counter_gate gate;
  } value;
} assay_assignment;

// Reads NAME = TEXT, of that line of the file. ASSAY_INVALID for an unknown name, naming the
// nearest, and for a value of the wrong kind.
ASSAY_MUST_USE assay_code assay_assignment_parse(assay_arena *arena, const char *file, int line,
                                                 const char *name, const char *text,
                                                 assay_assignment *out_assignment,
                                                 assay_error *err);
void assay_assignment_apply(const assay_assignment *assignment, assay_setting_values *into);

// Whether it stands for the whole comparison; whether it is about counters.
bool assay_assignment_is_global(const assay_assignment *assignment);
bool assay_assignment_is_counter(const assay_assignment *assignment);

#endif
