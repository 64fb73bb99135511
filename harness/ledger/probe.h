// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An accused pass run only so far, and whether what it then leaves shows its fault.
#ifndef ASSAY_HARNESS_LEDGER_PROBE_H
#define ASSAY_HARNESS_LEDGER_PROBE_H

#include "harness/ledger/below.h"

typedef enum assay_showing {
  ASSAY_SHOWS_NOTHING, // the pass failed or died otherwise, or its state cannot be judged
  ASSAY_SHOWS_RIGHT,
  ASSAY_SHOWS_FAULT,
} assay_showing;

typedef struct assay_probe {
  assay_within within;
  assay_showing shows;
  const assay_inside *inside; // what the run saw; of the first one, where there are several
} assay_probe;

enum { ASSAY_PROBES = 24 }; // at most, of one question

// All probes of one question.
typedef struct assay_probing {
  const assay_below_question *question;
  int left;     // of ASSAY_PROBES
  double until; // seconds of CLOCK_MONOTONIC
  // States that are judged already, by their hash.
  int known_count;
  struct {
    uint64_t hash;
    assay_showing shows;
  } known[4 * ASSAY_PROBES];
} assay_probing;

assay_probing assay_probing_begin(const assay_below_question *question);
// Whether so many more may be made, in number and in time.
bool assay_probing_may(const assay_probing *probing, int count);
// Makes the probes, several at once. UNSUPPORTED or INVALID where the pass cannot be run alone.
ASSAY_MUST_USE assay_code assay_probing_take(assay_probing *probing, assay_probe probes[],
                                             int count, assay_error *err);

#endif
