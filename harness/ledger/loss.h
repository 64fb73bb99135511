// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where digits of the results are lost: the operation, in the user's file.
#ifndef ASSAY_HARNESS_LEDGER_LOSS_H
#define ASSAY_HARNESS_LEDGER_LOSS_H

#include "harness/ledger/states.h"

// Asks the input, and where that has lost none the state that the accused pass left; of all data
// sets the element that has lost most bits.
ASSAY_MUST_USE assay_code assay_loss_find(const assay_trial *trial, const assay_steps *steps,
                                          const assay_states *states, const assay_ledger_answer *of,
                                          assay_origin_answer *answer, assay_error *err);

#endif
