// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this machine and this build are, for records and for `assay doctor`.
#ifndef ASSAY_HARNESS_CLI_ENVIRONMENT_H
#define ASSAY_HARNESS_CLI_ENVIRONMENT_H

#include "compiler/base/arena.h"
#include "results/record/record.h"

// In the arena; what cannot be found out is NULL, and so are cuda and ptxas, which commands with
// backends fill in (assay_machine_describe).
assay_environment *assay_environment_get(assay_arena *arena, const char *root);

// LLVM's version, of the library that was loaded: "22.1.8".
const char *assay_llvm_version(assay_arena *arena);
// NumPy's version in the oracle's Python. ASSAY_FAILED where that cannot be asked.
ASSAY_MUST_USE assay_code assay_numpy_version(assay_arena *arena, const char *root,
                                              const char **out_version, assay_error *err);

#endif
