// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much a program computes, as far as its text says so.
#ifndef ASSAY_COMPILER_BRIDGE_TAIL_WORK_H
#define ASSAY_COMPILER_BRIDGE_TAIL_WORK_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

// Scalar operations that run if each function runs once: those of a loop's body as often as the
// loop goes round, those of a linalg operation for each of its points. Bounds that only a run
// knows count as one.
double assay_module_work(MlirModule module);

#ifdef __cplusplus
}
#endif

#endif
