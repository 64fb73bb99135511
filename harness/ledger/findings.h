// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be said against a pass without running the program.
#ifndef ASSAY_HARNESS_LEDGER_FINDINGS_H
#define ASSAY_HARNESS_LEDGER_FINDINGS_H

#include "harness/ledger/steps.h"

// Marks rows (one for each execution) with fault and what: the first that left invalid IR, the
// first that made a NaN attribute against the request's contract, the first that prints IR which
// does not parse back (roundtrips and parse_error must be set) in a pipeline that ends so, the pass
// that died, and the one that left or planted what no tail can lower. left: the operation of the
// last state at which the tails stop; "" where they stop at none.
void assay_findings_mark(const assay_ledger_request *request, assay_arena *arena,
                         const assay_steps *steps, const char *left, assay_ledger_row rows[]);

// The first NaN attribute that an execution made against the request's contract, on an operation of
// that name (NULL: any); NULL where there is none.
const assay_new_nan *assay_findings_nan(const assay_ledger_request *request,
                                        const assay_execution *execution, const char *op);
// How many operations of a name a state holds.
int64_t assay_findings_count(const assay_snapshot *snapshot, const char *op);

#endif
