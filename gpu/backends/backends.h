// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends that run on a GPU, or on the simulator of one.
#ifndef ASSAY_GPU_BACKENDS_BACKENDS_H
#define ASSAY_GPU_BACKENDS_BACKENDS_H

#include "compiler/backends/backend.h"

// Sorted by name; the array ends with NULL.
const assay_backend *const *assay_gpu_backends_get(void);

#endif
