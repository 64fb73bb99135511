// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: gpu-sim's simulator with all memory far from any other, and the choice of a mutant in
// the module that was loaded last.
#ifndef ASSAY_GPU_BACKENDS_CHECKS_APART_H
#define ASSAY_GPU_BACKENDS_CHECKS_APART_H

#include "gpu/runtime/gpu.h"

ASSAY_MUST_USE assay_code apart_open(assay_gpu **out_gpu, assay_error *err);
// Failures are those of the cmocka test that calls.
void apart_select(assay_gpu *gpu, int number);
// Whether any thread did anything else for the mutant of that number.
bool apart_differs(assay_gpu *gpu, int number);

#endif
