// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes for the dynamic dimensions of a function's arguments, such that its operations fit them.
#ifndef ASSAY_COMPILER_BRIDGE_SIZES_H
#define ASSAY_COMPILER_BRIDGE_SIZES_H

#include <mlir-c/IR.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// One size for each dynamic dimension of the function's arguments, in order of appearance, at most
// `limit`; `usual` where nothing in the function says more. Gives their number, 0 where the
// function has none, or more than that.
int assay_sizes_infer(MlirOperation function, int64_t usual, int limit, int64_t out_sizes[]);

#ifdef __cplusplus
}
#endif

#endif
