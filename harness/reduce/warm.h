// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every candidate's process would else do anew.
#ifndef ASSAY_HARNESS_REDUCE_WARM_H
#define ASSAY_HARNESS_REDUCE_WARM_H

#include "harness/ledger/ledger.h"

// Finishes a small program by the tails in this process, so that processes forked from here find
// the code of MLIR and LLVM mapped and its symbols bound. Nothing is run; a failure is of no
// account.
void assay_reduce_warm(const assay_ledger_request *request);

#endif
