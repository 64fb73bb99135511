// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other programs that are asked one thing: git, the oracle's Python.
#ifndef ASSAY_HARNESS_CLI_PROCESS_H
#define ASSAY_HARNESS_CLI_PROCESS_H

#include "compiler/base/arena.h"

// The first line that argv[0] (looked up in PATH; argv ends with NULL) writes to its standard
// output, without its end, in the arena; NULL where it cannot be started, fails or writes nothing.
// Its messages are dropped.
const char *assay_process_ask(assay_arena *arena, const char *const argv[]);

#endif
