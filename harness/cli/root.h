// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's root: where suite/ and reference/ are.
#ifndef ASSAY_HARNESS_CLI_ROOT_H
#define ASSAY_HARNESS_CLI_ROOT_H

#include "compiler/base/arena.h"

// The environment variable ASSAY_ROOT if it is set, else data_folder if it is not NULL, else
// ../share/assay beside the running program if that is one, else the folder that this program was
// built from. ASSAY_MISSING where it holds no suite/cases. In the arena, or as long as what it is
// made of.
ASSAY_MUST_USE assay_code assay_root_find(assay_arena *arena, const char *data_folder,
                                          const char **out_root, assay_error *err);

#endif
