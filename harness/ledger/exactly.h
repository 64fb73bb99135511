// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The origin of a NaN or an infinity, by the numbers that a run has given them: compiler/origin/
// exact.h.
#ifndef ASSAY_HARNESS_LEDGER_EXACTLY_H
#define ASSAY_HARNESS_LEDGER_EXACTLY_H

#include "harness/ledger/ledger.h"
#include "harness/ledger/sought.h"

// What ran no longer than this may be asked: an operation takes ten times as long, and more where
// much is not finite.
#define ASSAY_EXACTLY_SECONDS 0.02

// Sets what the run says of the elements that hold what is asked for in the plain run; false where
// it has not come to its end, or says nothing certain. A NaN that is asked for as an infinity and
// that none led to is such an answer: answer->none.
bool assay_exactly_conclude(assay_arena *arena, const assay_sought *sought,
                            const assay_observation *plain, const assay_tail_answer *watched,
                            assay_origin_answer *answer);

#endif
