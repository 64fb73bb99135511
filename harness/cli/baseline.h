// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report's comparison with a baseline.
#ifndef ASSAY_HARNESS_CLI_BASELINE_H
#define ASSAY_HARNESS_CLI_BASELINE_H

#include "harness/cli/session.h"
#include "results/formats/format.h"

// Compares the records with those of --baseline, as `assay compare` does; in the arena. *out_gated:
// whether the gate fails. Fails as reading the baseline does, and where no case is in both.
ASSAY_MUST_USE assay_code assay_baseline_compare(const assay_session *session,
                                                 const assay_record records[], size_t count,
                                                 const assay_baseline **out_baseline,
                                                 bool *out_gated, assay_error *err);

#endif
