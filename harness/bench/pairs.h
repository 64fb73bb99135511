// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two builds of Assay timed in pairs. In each pair both are started anew, compile, and are timed in
// turn, A B B A, so that a slower moment of the machine meets both; who begins changes from pair to
// pair. Where nothing differs, A and B could be exchanged in any pair without anybody seeing it,
// which is all that the statistics of pairs ask for.
#ifndef ASSAY_HARNESS_BENCH_PAIRS_H
#define ASSAY_HARNESS_BENCH_PAIRS_H

#include "compiler/base/arena.h"

#include <signal.h>

enum { ASSAY_SIDES = 2, ASSAY_PAIR_BACKENDS = 8 };

typedef struct assay_pair_options {
  int pairs;
  double min_seconds; // that each side of a pair is timed at least
  double timeout;     // seconds of a case; for the greeting; ten times that for an answer
  volatile sig_atomic_t *stop;
  // (optional) Told before each pair.
  void (*progress)(void *user, int pair, int of);
  void *user;
} assay_pair_options;

// What one side gave for a backend.
typedef struct assay_pair_result {
  const char *check;       // its conformance record, JSON text; NULL: the side does not know it
  const char *description; // its record of a watched compilation, JSON text, or NULL
  const char *failure;     // why there are no samples; NULL where there are
  double *run_samples, *compile_samples; // by pair, seconds
} assay_pair_result;

typedef struct assay_pairs {
  int count; // pairs that both sides finished, in all backends that have samples
  assay_pair_result results[ASSAY_PAIR_BACKENDS][ASSAY_SIDES];
} assay_pairs;

// Drives both programs, which are started by argv[side] (each ends with NULL) and speak what
// harness/cli/serve.h says, over the backends, at most ASSAY_PAIR_BACKENDS. A backend that fails on
// a side, or is wrong there, or with which a side ends or does not answer any more, has no samples
// on either. ASSAY_FAILED where a side cannot be started, ASSAY_INVALID where it is no such
// program; *out_pairs in the arena.
ASSAY_MUST_USE assay_code assay_pairs_time(assay_arena *arena,
                                           const char *const *const argv[ASSAY_SIDES],
                                           const char *const backends[], size_t backend_count,
                                           const assay_pair_options *options,
                                           const assay_pairs **out_pairs, assay_error *err);

#endif
