// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function in an isolated child, for verbs that compile or run outside a run.
#ifndef ASSAY_HARNESS_CLI_SANDBOX_H
#define ASSAY_HARNESS_CLI_SANDBOX_H

#include "harness/cli/options.h"

// Runs body(user, err) in a forked child under the limits of the options. Its failure becomes ours;
// ASSAY_FAILED with the reason where the child died or passed a limit. What the body leaves behind
// is in files only.
ASSAY_MUST_USE assay_code assay_sandbox_run(const assay_options *options,
                                            assay_code (*body)(void *user, assay_error *err),
                                            void *user, assay_error *err);

#endif
