// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether each state, printed, can be read again.
#ifndef ASSAY_HARNESS_LEDGER_ROUNDTRIPS_H
#define ASSAY_HARNESS_LEDGER_ROUNDTRIPS_H

#include "harness/ledger/steps.h"

// Sets roundtrips and parse_error of the rows, one for each execution. Invalid states are passed
// over: they are a finding of their own.
ASSAY_MUST_USE assay_code assay_roundtrips_check(const assay_ledger_request *request,
                                                 assay_arena *arena, const assay_steps *steps,
                                                 assay_ledger_row rows[], assay_error *err);

#endif
