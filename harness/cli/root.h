// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's root: where suite/ and reference/ are.
#ifndef ASSAY_HARNESS_CLI_ROOT_H
#define ASSAY_HARNESS_CLI_ROOT_H

#include "compiler/base/error.h"

// The environment variable ASSAY_ROOT if it is set, else the folder that this program was built
// from. ASSAY_MISSING where it holds no suite/cases. Static or the environment's storage.
ASSAY_MUST_USE assay_code assay_root_find(const char **out_root, assay_error *err);

#endif
