// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-reduce's own steps, after ours.
#ifndef ASSAY_HARNESS_REDUCE_TOOL_H
#define ASSAY_HARNESS_REDUCE_TOOL_H

#include "harness/reduce/search.h"

// Lets mlir-reduce go on with the best so far, where it is installed and can read it. Its test is
// this program (`assay reduce --check`), asked from a folder in the system's place for temporary
// files. What it gives is taken over where it is smaller and shows the fault; found->tool says what
// came of it.
ASSAY_MUST_USE assay_code assay_tool_run(assay_search *search, assay_error *err);

#endif
