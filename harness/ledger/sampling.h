// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounding error of the input, from runs that round at random.
#ifndef ASSAY_HARNESS_LEDGER_SAMPLING_H
#define ASSAY_HARNESS_LEDGER_SAMPLING_H

#include "harness/ledger/trial.h"

// Runs the trial's input, by its tail, so many times rounded at random and as many amplified, and
// makes its scales of that. Other seeds, other samples. Where it cannot be done the trial is
// inconclusive, and says why.
ASSAY_MUST_USE assay_code assay_trial_sample(assay_trial *trial, int samples, uint64_t seed,
                                             assay_error *err);

#endif
