// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold before a pass is named for a wrong result.
#ifndef ASSAY_HARNESS_LEDGER_CONFIRM_H
#define ASSAY_HARNESS_LEDGER_CONFIRM_H

#include "harness/ledger/states.h"

typedef struct assay_confirmation {
  assay_fault fault; // NONE: not believed
  const char *what;  // the difference, or why it is not believed
} assay_confirmation;

// Tries the state that an execution left, which its runs showed to be wrong, once more: against a
// bound from twice as many samples; by the other tail, which must agree where it can run the state
// (a state that reads memory nobody wrote may look right by chance, and is found with other
// memory); and the pass alone, in fresh processes, on the state before it. A pass that does not do
// it again every time is NONDETERMINISTIC. Notes go to the trial.
ASSAY_MUST_USE assay_code assay_confirm(assay_trial *trial, const assay_states *states,
                                        const assay_execution *execution,
                                        assay_confirmation *out_confirmation, assay_error *err);

#endif
