// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timing loop: Google Benchmark's, behind C.
#ifndef ASSAY_HARNESS_TIME_LOOP_H
#define ASSAY_HARNESS_TIME_LOOP_H

#include "compiler/base/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Something that is run again and again.
typedef struct assay_timed {
  const char *name;
  void *user;
  void (*run)(void *user);
  double (*run_elsewhere)(void *user); // instead: who has a clock of its own does, another process
                                       // or a device, and tells the seconds of one run
  void (*between)(void *user);         // (optional) before each run, not timed
  int64_t iterations;                  // 0: as many as min_seconds take; afterwards those made
  int repetitions;                     // of the loop; 0: one
  double seconds; // afterwards: of one run, wall clock: the first decile of the loops' means
} assay_timed;

// The first decile of so many numbers, which are sorted. Others on the machine only ever make a
// loop longer, so the short ones tell of what is timed; the very shortest would be luck.
double assay_time_decile(double numbers[], size_t count);

// Loops of what takes so many seconds a run, that last so many together: each some milliseconds,
// where a run is not longer, which is less than the turns in which a busy machine's processes take
// a processor, so that many of them are disturbed by nobody.
typedef struct assay_batches {
  int64_t iterations;
  int count;
} assay_batches;
assay_batches assay_batches_plan(double run_seconds, double min_seconds);

// One round: each item's loops, one item after the other in this order. ASSAY_FAILED where Google
// Benchmark did not run them.
ASSAY_MUST_USE assay_code assay_time_round(assay_timed items[], size_t count, double min_seconds,
                                           assay_error *err);

#ifdef __cplusplus
}
#endif

#endif
