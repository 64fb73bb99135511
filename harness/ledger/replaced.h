// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that has NaN in place of infinities says of the one that has not.
#ifndef ASSAY_HARNESS_LEDGER_REPLACED_H
#define ASSAY_HARNESS_LEDGER_REPLACED_H

#include "compiler/tail/tail.h"

// Whether it has shown the same otherwise, and made one infinity only: else it may have computed
// and branched as the program never does. plain: of the program itself.
bool assay_replaced_unseen(const assay_observation *plain, const assay_tail_answer *watched);
// Whether each NaN and infinity of the plain run is a NaN that no infinity led to.
bool assay_replaced_none(const assay_observation *plain, const assay_tail_answer *watched);

#endif
