// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is timed: a case on a data set, and those who compute it.
#ifndef ASSAY_HARNESS_BENCH_EXERCISE_H
#define ASSAY_HARNESS_BENCH_EXERCISE_H

#include "harness/bench/peer.h"
#include "harness/run/run.h"
#include "harness/time/loop.h"
#include "harness/time/peak.h"

enum { ASSAY_EXERCISE_ARGUMENTS = 64 };

// A case, its program, and its arguments in memory, which processes forked from this one copy.
typedef struct assay_exercise {
  const assay_case *a_case;
  const char *data;
  const assay_reference *reference;
  const assay_program *program;
  assay_buffer inputs[ASSAY_EXERCISE_ARGUMENTS];
} assay_exercise;

// Makes the arguments. program and what it stands in live in the arena. ASSAY_UNSUPPORTED where it
// has too many arguments; ASSAY_FAILED where memory runs out.
ASSAY_MUST_USE assay_code assay_exercise_open(assay_arena *arena, const assay_case *a_case,
                                              const char *data, const assay_reference *reference,
                                              assay_exercise *out_exercise, assay_error *err);
void assay_exercise_close(assay_exercise *exercise);

// Who computes it: a backend, or a peer.
typedef struct assay_contender {
  const char *name;
  const assay_opened *opened; // NULL: a peer
  const assay_peer *peer;
  assay_peer_state *state;
} assay_contender;

// Whether it is compiled only: a simulator's runs are not timed.
bool assay_contender_is_simulated(const assay_contender *who);
// Whether a device times it, by its own clock, and not this process.
bool assay_contender_is_on_device(const assay_contender *who);

// A contender in this process, ready to run on memory of its own.
typedef struct assay_entrant {
  const assay_contender *who;
  const assay_exercise *exercise;
  assay_buffer inputs[ASSAY_EXERCISE_ARGUMENTS];
  assay_buffer results[ASSAY_MAX_RESULTS];
  assay_object object;      // what was linked
  bool compiled;            // here, so that the object's bytes are the entrant's own
  assay_loaded *loaded;     // of a backend
  assay_load_report report; // the same
  assay_counters counters;  // of the last run
  assay_evictor *evictor;   // what is walked before each run; NULL: nothing
  double min_seconds;       // that a peer's own loop lasts
  int64_t runs;             // of a device's own loop
  bool failed;              // a run did
  assay_error failure;
} assay_entrant;

// Copies the arguments to fresh memory, compiles or, where *object has bytes, links those, which
// remain the caller's, and runs once to warm up (but a simulator). watched: the report tells what
// compiling costs.
ASSAY_MUST_USE assay_code assay_entrant_open(const assay_contender *who,
                                             const assay_exercise *exercise,
                                             const assay_object *object, bool watched,
                                             assay_entrant *out_entrant, assay_error *err);
void assay_entrant_close(assay_entrant *entrant);

// One item of a round, looped so; afterwards `failed` may be set.
assay_timed assay_entrant_timed(assay_entrant *entrant, assay_batches batches);

#endif
