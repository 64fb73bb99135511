// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmarks of one case: its contenders timed in rounds, each round in a process of its own.
//
// Within a round the contenders run one after the other, and who is first changes from round to
// round, so that a slower moment of the machine meets all of them. Each round's process has fresh
// memory: where its pages lie, which decides some percent of a time, is drawn anew for each sample.
#ifndef ASSAY_HARNESS_BENCH_BENCH_H
#define ASSAY_HARNESS_BENCH_BENCH_H

#include "harness/bench/exercise.h"

enum { ASSAY_BENCH_CONTENDERS = 16, ASSAY_BENCH_SAMPLES = 1000 };

typedef struct assay_bench_options {
  int repetitions;             // rounds, and so samples
  double min_seconds;          // of a sample: the loop runs at least so long
  double most_seconds;         // (optional) no further round begins after so long, from the
                               // ASSAY_BENCH_LEAST-th on
  int threads;                 // of a BLAS
  bool cold;                   // caches are evicted before each run
  double timeout;              // seconds that compiling or one run may take
  int64_t memory_bytes;        // limit of each round's own memory
  volatile sig_atomic_t *stop; // as in assay_isolation
} assay_bench_options;

enum { ASSAY_BENCH_LEAST = 5 }; // rounds that any case gets

// What came of one contender.
typedef struct assay_bench_result {
  assay_verdict verdict; // PASS; SKIP: a peer does not do such cases; FAIL: it is wrong;
                         // ERROR, CRASH, TIMEOUT: no (further) samples
  char reason[1024];     // where it is not PASS
  double margin;         // of the code that is timed, not of its check; NaN: not judged
  size_t run_count, compile_count;
  double *run_samples;          // seconds of one run, in the arena
  double *compile_samples;      // seconds of one compilation
  assay_costs costs;            // of the first compilation
  assay_device_figures figures; // the same
  assay_counters counters;      // of a run
  int64_t object_bytes;         // 0: nothing was compiled
} assay_bench_result;

// Times the contenders, at most ASSAY_BENCH_CONTENDERS. results: one for each, filled in. Backends
// must have been found right before; where the exercise has a reference, what is timed is judged
// once more, peers too, and none that is wrong is timed. Fails only where the harness itself cannot
// go on.
ASSAY_MUST_USE assay_code assay_bench_case(assay_arena *arena, const assay_exercise *exercise,
                                           const assay_contender contenders[], size_t count,
                                           const assay_bench_options *options,
                                           assay_bench_result results[], assay_error *err);

#endif
