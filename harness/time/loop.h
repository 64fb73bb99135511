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
  double (*run_elsewhere)(void *user); // instead: another process does, and tells its seconds
  void (*between)(void *user);         // (optional) before each run, not timed
  int64_t iterations;                  // 0: as many as min_seconds take; afterwards those made
  double seconds;                      // afterwards: of one run, wall clock, the mean of all
} assay_timed;

// One round: each item's loop, one after the other in this order. ASSAY_FAILED where Google
// Benchmark did not run them.
ASSAY_MUST_USE assay_code assay_time_round(assay_timed items[], size_t count, double min_seconds,
                                           assay_error *err);

#ifdef __cplusplus
}
#endif

#endif
