// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inside an accused pass did it: the step of its script, the pattern on its operation.
//
// The pass runs alone, again and again, each time only so far: a script without its last steps, a
// driver whose patterns are refused from some application on. Named is the one application that
// turns a state which is right, or free of the fault, into one that shows it; both were seen. It is
// looked for by halves, as if what is bad stayed bad; where that does not lead to such a pair,
// where a pass fails without the patterns that were refused, or where the 24 runs or the half
// minute that it may take are over, nothing is named.
#ifndef ASSAY_HARNESS_LEDGER_BELOW_H
#define ASSAY_HARNESS_LEDGER_BELOW_H

#include "harness/ledger/states.h"

// What is known of the pass: in the arena of the ledger.
typedef struct assay_below_question {
  const assay_ledger_request *request;
  assay_arena *arena;
  const assay_trial *trial;         // both used only where the fault needed runs
  const assay_states *states;       // the state after the execution among them
  const assay_execution *execution; // the accused one
  assay_fault fault;
  const char *left; // UNLOWERED: the operation
} assay_below_question;

typedef struct assay_below {
  // "transform.structured.fuse at file.mlir:12:8"; NULL: not found, or no script.
  const char *step;
  // "ShapeCastBroadcastFolder on vector.shape_cast at file.mlir:8:10", "a pattern on math.ceil at
  // ..." where it has no name, "fold" where folding alone does it; NULL: not found.
  const char *pattern;
} assay_below;

// ASSAY_FAILED where the system fails. A request that is stopped finds nothing.
ASSAY_MUST_USE assay_code assay_below_find(const assay_below_question *question,
                                           assay_below *out_below, assay_error *err);

// A pattern's name without the namespaces in it: "Fold<PadOp>" of
// "mlir::Fold<mlir::tensor::PadOp>".
const char *assay_below_plain_name(assay_arena *arena, const char *name);
// Whether two messages of the verifier say the same but for the place and the names of values.
bool assay_below_same_message(const char *a, const char *b);

#endif
