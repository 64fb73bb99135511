// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One round, in its own process. Internal to bench.c.
#ifndef ASSAY_HARNESS_BENCH_ROUND_H
#define ASSAY_HARNESS_BENCH_ROUND_H

#include "harness/bench/bench.h"
#include "harness/isolate/isolate.h"

// What a round's process tells of a contender. Flat, since it crosses a process boundary.
typedef struct assay_round_news {
  enum {
    ASSAY_NEWS_BEGUN,  // it is at work on it: a death from here on is that one's
    ASSAY_NEWS_READY,  // compiled or linked, warmed up, judged
    ASSAY_NEWS_TIMED,  // a sample
    ASSAY_NEWS_FAILED, // it cannot go on, with verdict and reason
  } what;
  int contender;
  assay_verdict verdict;
  char reason[1024];
  double margin;                // READY, FAILED; NaN: not judged
  bool compiled;                // READY
  double seconds_compile;       // the same
  int64_t object_bytes;         // the same
  assay_costs costs;            // READY, in the first round
  assay_device_figures figures; // the same
  assay_counters counters;      // the same
  double seconds_run;           // TIMED
} assay_round_news;

// An object that later rounds link, in memory that this process and its children share.
typedef struct assay_round_store {
  size_t capacity; // bytes
  size_t size;     // 0: nothing is there
  unsigned char bytes[];
} assay_round_store;

// What a round is to do.
typedef struct assay_round {
  int number; // from 0; in the first costs are watched, results judged, and how long a run is
  int contenders[ASSAY_BENCH_CONTENDERS]; // who takes part, in this order
  int count;
  bool compile[ASSAY_BENCH_CONTENDERS];   // by contender: anew, to be timed
  double seconds[ASSAY_BENCH_CONTENDERS]; // of a run, as the first round found it
} assay_round;

typedef struct assay_round_setting {
  const assay_exercise *exercise;
  const assay_contender *contenders;
  const assay_bench_options *options;
  assay_round_store *stores[ASSAY_BENCH_CONTENDERS]; // of backends
} assay_round_setting;

// The body of a round's process.
void assay_round_run(const assay_round_setting *setting, const assay_round *round,
                     const assay_channel *channel);

#endif
