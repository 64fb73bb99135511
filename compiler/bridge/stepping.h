// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline run step by step: what each pass execution did to the whole module.
//
// Meant for a child process: passes may crash, hang, exit, print, or close descriptors. All that is
// known so far stands in shared memory at every moment, also after the process has died.
#ifndef ASSAY_COMPILER_BRIDGE_STEPPING_H
#define ASSAY_COMPILER_BRIDGE_STEPPING_H

#include "compiler/bridge/nan_contract.h"
#include "compiler/bridge/passes.h"
#include "compiler/bridge/snapshot.h"

// Atomics that C and C++ agree on: C++17 has no _Atomic.
#ifdef __cplusplus
#include <atomic>
#define ASSAY_ATOMIC(type) std::atomic<type>
extern "C" {
#else
#include <stdatomic.h>
#define ASSAY_ATOMIC(type) _Atomic(type)
#endif

// A NaN in an attribute, of a floating-point type and bits that no earlier state held, in whatever
// shape and for whatever use, and that is fit for no neutral use itself.
typedef struct assay_new_nan {
  const char *op;       // "arith.constant"
  const char *location; // "file.mlir:3:8", or "unknown"
  const char *type;     // "f32", "tensor<2xf32>"
  uint64_t bits;        // the low 64
  assay_nan_origin origin;
} assay_new_nan;

// One pass execution, in the order and count of --mlir-print-ir-after-all (where no state is
// invalid: mlir-opt stops there, this goes on). Public functions with tensors or memrefs are given
// llvm.emit_c_interface first, so that they can be called once they are lowered; executions on the
// _mlir_ciface_ functions that come of it are neither numbered nor listed, and what they change
// shows in the next one's `before`.
typedef struct assay_execution {
  int n;               // from 1
  const char *name;    // the pass's argument; the class's name where it has none
  const char *anchor;  // "func.func"
  const char *symbol;  // of the operation it ran on; "" where it has none
  const char *options; // the pass as pipeline text: "canonicalize{top-down=true}"; "" for none
  // Passes that must run before it, since what they did stands outside the module: the text of each
  // transform-preload-library so far, where it is a transform-interpreter; "" else.
  const char *needs;
  int depth;           // 0; more inside another pass (inline's own canonicalize)
  bool changed;        // the module's hash moved, between `before` and `after`
  bool failed;         // signalPassFailure
  const char *message; // the first error the pass reported, "FILE:LINE:COL: text"; "" where none
  double seconds;      // processor time of the pass and those inside it, without ours
  const assay_snapshot *before; // the state as the execution began
  const assay_snapshot *after;  // as it ended; == before where nothing changed
  bool verifies;                // the state after
  const char *verifier_message; // "" where it verifies
  int nan_count;
  const assay_new_nan *nans;
  ASSAY_ATOMIC(struct assay_execution *) next; // in order of N; NULL at the end so far
} assay_execution;

typedef enum assay_stepping_phase {
  ASSAY_STEPPING_STARTED,
  ASSAY_STEPPING_READ, // the input has been parsed and verified; `input` is set
  ASSAY_STEPPING_DONE, // the pipeline has ended, well or not
} assay_stepping_phase;

// A part of a pass: an operation of a transform script, or a pattern on an operation. Cut where it
// is longer than there is room.
typedef struct assay_inner_part {
  char name[192];     // the operation; the pattern's name, "" where it has none
  char op[96];        // the pattern's: what it is applied to
  char location[512]; // of the operation: "file.mlir:3:8", or "unknown"
} assay_inner_part;

enum { ASSAY_NESTED_APPLICATIONS = 4 }; // inside each other, that are told apart

// What a run saw inside its pass, where the request asked for that.
typedef struct assay_inside {
  int64_t script_steps;               // of the whole script; 0: it has none
  assay_inner_part step;              // the last operation that was left in the script
  bool looking;                       // what runs now is not the pass
  bool is_greedy;                     // a greedy driver ran, which folds
  ASSAY_ATOMIC(int64_t) applications; // of patterns, that were begun
  ASSAY_ATOMIC(int64_t) began;        // the last of them, in ms of CLOCK_MONOTONIC
  ASSAY_ATOMIC(int) applying;         // how many are running, inside each other
  int last;                           // of these, the one begun last
  assay_inner_part application[ASSAY_NESTED_APPLICATIONS]; // by nesting
} assay_inside;

// How far the pass of a run may go. Counts: -1 is all.
typedef struct assay_within {
  int64_t script_steps; // transform-interpreter's entry sequence is cut after so many operations
  int64_t applications; // of patterns, matching or not; all later ones are refused
  bool only_fold;       // instead of the pass: a greedy driver without any pattern
} assay_within;

// What the child writes and the parent reads. Pulse counts events (a pass begun or ended), so that
// a watcher can tell a slow pipeline from a pass that hangs.
typedef struct assay_stepping {
  ASSAY_ATOMIC(int) phase;
  ASSAY_ATOMIC(int64_t) pulse;
  const assay_snapshot *input; // states after it are equal by pointer when their hash is equal
  ASSAY_ATOMIC(assay_execution *) first;
  // The passes now running, innermost last: whom to name when the process dies here.
  ASSAY_ATOMIC(int) running_count;
  struct {
    const char *name, *anchor, *symbol, *options, *needs;
  } running[16];
  bool succeeded;      // phase DONE: the pipeline ended well
  const char *message; // phase DONE without success, or a parse error: MLIR's message; "" else
  assay_inside inside; // with `within` in the request
} assay_stepping;

typedef struct assay_stepping_request {
  const char *file; // for messages
  const char *source;
  size_t size;                 // the text or bytecode of the module
  bool verify;                 // the input, as mlir-opt does
  const assay_snapshot *state; // (optional) instead of the source, and not verified
  assay_pass_pipeline *pipeline;
  // Whether the pipeline runs on the operation with this name and symbol instead of the module; for
  // one pass alone. NULL: the module.
  const char *anchor, *symbol;
  const assay_within *within; // (optional) looks inside the passes
} assay_stepping_request;

// Parses the source and runs the pipeline with verification off, single-threaded. Everything it
// learns goes to *stepping, which must lie in the shared memory and be zero. Returns ASSAY_OK once
// the pipeline has ended, well or not; ASSAY_INVALID where the source does not parse (where
// and text are MLIR's); ASSAY_FAILED where the shared memory is full.
ASSAY_MUST_USE assay_code assay_step(MlirContext context, const assay_stepping_request *request,
                                     assay_shared *shared, assay_stepping *stepping,
                                     assay_error *err);

#ifdef __cplusplus
}
#endif

#endif
