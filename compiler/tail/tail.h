// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tails: fixed lowerings that finish a module from any stage of compilation and run it, so that
// states of a pipeline can be compared by what they compute.
//
// Two tails share as little as possible. No step of either folds or canonicalizes the program.
#ifndef ASSAY_COMPILER_TAIL_TAIL_H
#define ASSAY_COMPILER_TAIL_TAIL_H

#include "compiler/bridge/passes.h"
#include "compiler/bridge/snapshot.h"
#include "compiler/origin/exact.h"
#include "compiler/tail/observation.h"

#include <stdatomic.h>

typedef enum assay_tail {
  ASSAY_TAIL_FIRST,  // linalg to loops on buffers, libm, LLVM without optimisation
  ASSAY_TAIL_SECOND, // other bufferization, other loops, other vector lowering, LLVM -O2
  ASSAY_TAIL_COUNT,
} assay_tail;

// What states of one program have shown, so that others of the same code need not run again. In
// shared memory; NULL where that is full.
typedef struct assay_reuse assay_reuse;
assay_reuse *assay_reuse_create(assay_shared *shared);

// One run of an executable.
typedef struct assay_tail_run {
  uint64_t seed;        // of an instrumented program: 0 plain rounding, else the sample's
  int data;             // the data set of the arguments: 0 small whole numbers, 1 real ones
  bool amplified;       // the sample of an instrumented program
  unsigned char poison; // fills fresh memory
  bool uneven;          // with neighbours of it, by the place
  bool guarded;         // fences around every allocation, freed memory out of reach
  bool moved;           // fresh memory lies at other addresses: does the program show them?
} assay_tail_run;

enum { ASSAY_TAIL_DIM = 7 }; // the size of a dynamic dimension, where nobody says another

// A tensor that the user hands in as an argument.
typedef struct assay_tail_input {
  const char *file;  // for messages
  const char *descr; // NumPy's dtype: "<f4"
  const void *data;  // row-major, unaligned
  size_t size;       // bytes
  int rank;
  int64_t dim[ASSAY_OBSERVED_MAX_RANK];
} assay_tail_input;

// What the finished program does besides what it is to compute.
typedef enum assay_instrument {
  ASSAY_INSTRUMENT_NONE,
  ASSAY_INSTRUMENT_ROUNDING, // rounds at random: compiler/rounding/
  ASSAY_INSTRUMENT_NAN,      // tells where NaN and infinities come from: compiler/origin/
  ASSAY_INSTRUMENT_INF,
  ASSAY_INSTRUMENT_LOSS,        // tells where digits are lost
  ASSAY_INSTRUMENT_NAN_EXACTLY, // as NAN and INF, and computes as the program does without
  ASSAY_INSTRUMENT_INF_EXACTLY,
} assay_instrument;

typedef struct assay_tail_request {
  MlirContext context;
  const assay_snapshot *state; // to be finished
  const char *entry;
  const char *input_type; // the entry's function type in the program as the user wrote it
  const char *last_type;  // its type in the last state in which it was a func.func
  assay_tail tail;
  int other_steps; // so many first steps are taken from the other tail: which of them is at fault?
  const assay_pass_pipeline *user_tail;  // (optional) --tail: runs first
  int64_t dims[ASSAY_OBSERVED_MAX_RANK]; // sizes for dynamic dimensions, in order of appearance
  int dim_count;                         // the last one is used again; 0: ASSAY_TAIL_DIM
  uint64_t data_seed;
  bool cautious; // integers outside tensors are small and positive on the real data set too, where
                 // they are else negative and wide: for programs that take them for sizes or bounds
  // (optional) What the input program showed: sizes for results that the compiler has made
  // arguments of dynamic size.
  const assay_observation *baseline;
  const assay_tail_input *inputs; // (optional) the entry's arguments, all of them
  int input_count;
  // (optional) Functions that the user's program declares. Where nothing defines one its calls are
  // taken down, with the floats in the memory that they are given, which are other ones thereafter,
  // and each returns an argument of the result's type, or 1.
  const char *const *declared;
  const char *const *given; // (optional) as in assay_snapshot
  int declared_count;
  bool optimise; // LLVM -O2 also in the first tail (large programs)
  bool literal;  // no -O2 in the second tail: every access is made, whether its value is used
                 // or not
  assay_instrument instrument;
  const assay_snapshot
      *source;  // (optional) of the last five: whose operations answers name; else state
  bool checked; // the program aborts where it breaks a rule that MLIR can check as it runs
  int at_once;  // runs; 0: one after the other
  int run_count;
  const assay_tail_run *runs; // each in a process of its own, from one compilation
  double run_seconds;         // of the processor, that each run may take
  assay_reuse *reuse;         // (optional) of this program, entry, inputs and request's likes
} assay_tail_request;

typedef enum assay_tail_status {
  ASSAY_TAIL_NOT_RUN, // the tail cannot finish this state; reason says which operation
  ASSAY_TAIL_RAN,
  ASSAY_TAIL_CRASHED, // the program died; reason: signal, block and byte, instruction
  ASSAY_TAIL_LATE,    // it did not end in time
} assay_tail_status;

typedef struct assay_tail_outcome {
  assay_tail_status status;
  const char *reason; // shared memory; "" where it ran
  assay_observation seen;
  double seconds;
  const char *violation; // guarded: "heap write out of bounds: block of 64 bytes, at byte 64"; ""
} assay_tail_outcome;

// What a request gave: in shared memory, an outcome for each run. Zero at first; ready comes last.
typedef struct assay_tail_answer {
  _Atomic bool ready;
  assay_tail_status status; // of the compilation: RAN or NOT_RUN (others are the caller's)
  const char *reason;
  const char *left; // the operation that the tail cannot lower; "" where something else stopped it
  bool lost;        // the entry returns a value less than it did
  const char *uninstrumented; // an operation that rounds and could not be instrumented; ""
  const char *stand_ins;      // declared functions that nothing defines: "@f, @g"; ""
  bool optimised;             // by LLVM -O2, though not asked for: it has much to compute
  int amplitude;              // of amplified runs, as in assay_rounding_report
  // Sizes for the dynamic dimensions of the entry's arguments that its operations fit, where the
  // request gave none and made-up ones would do worse; 0: none such.
  int64_t dims[ASSAY_OBSERVED_MAX_RANK];
  int dim_count;
  _Atomic int64_t pulse; // moves as the work gets on: a stage done, a run within its limit
  double seconds_lower, seconds_compile;
  assay_tail_outcome *outcomes;
  // Of instruments beyond ROUNDING, else NULL: what was watched, and a log for each run.
  assay_origin_report *origin;
  assay_origin_log *origin_logs; // NAN, INF
  assay_loss_log **loss_logs;    // LOSS
  assay_exact_log *exact_logs;   // NAN_EXACTLY, INF_EXACTLY
} assay_tail_answer;

// Reads, finishes, compiles and runs a state, in a forked child of the caller's making (it forks
// again for each run and kills what is late). ASSAY_FAILED only where shared memory is full or no
// process can be made; everything else is an answer.
ASSAY_MUST_USE assay_code assay_tail_execute(const assay_tail_request *request,
                                             assay_shared *shared, assay_tail_answer *answer,
                                             assay_error *err);

// The arguments that a run would get, for a bundle: shape, element and bytes, in order of
// input_type. ASSAY_UNSUPPORTED where one cannot be made (unranked, a function); ASSAY_INVALID,
// with the file, where an input has another shape or dtype than the argument, or their number
// differs.
ASSAY_MUST_USE assay_code assay_tail_arguments(const assay_tail_request *request, int data,
                                               assay_shared *shared,
                                               assay_observation *out_arguments, assay_error *err);
// What a tail's step from 1 does, as pass names; NULL behind its last one. Static storage.
const char *assay_tail_step_name(assay_tail tail, int step);
// Its pass pipelines, for the JSON answer: text with static storage.
const char *assay_tail_describe(assay_tail tail);

#endif
