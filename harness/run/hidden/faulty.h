// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hidden backends, built into tests only: an honest one, and one for each way in which a compiler,
// its runtime or its generated code can go wrong. They compute one plain f32 matmul with C loops.
#ifndef ASSAY_HARNESS_RUN_HIDDEN_FAULTY_H
#define ASSAY_HARNESS_RUN_HIDDEN_FAULTY_H

#include "compiler/backends/backend.h"

// The hidden backend of that name (asserted to exist): "honest", "wrong element", "endless", ...
assay_backend assay_faulty_backend(const char *name);

#endif
