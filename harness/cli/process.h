// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs that are asked one thing: git, the oracle's Python.
#ifndef ASSAY_HARNESS_CLI_PROCESS_H
#define ASSAY_HARNESS_CLI_PROCESS_H

#include "compiler/base/arena.h"

// The first line that argv[0] (looked up in PATH; argv ends with NULL) writes to its standard
// output, without its end, in the arena. Its messages are dropped. ASSAY_FAILED where it cannot be
// started, fails, writes nothing, or has not ended within so many seconds, and is then killed.
ASSAY_MUST_USE assay_code assay_process_ask(assay_arena *arena, const char *const argv[],
                                            double seconds, const char **out_line,
                                            assay_error *err);

#endif
