// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR knows about memory: effects of operations and aliasing of buffers.
#ifndef ASSAY_COMPILER_BRIDGE_MEMORY_H
#define ASSAY_COMPILER_BRIDGE_MEMORY_H

#include <mlir-c/IR.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether the operation, or one inside it, may read, write or free memory of the buffer (a memref).
// True where MLIR cannot tell, but false between two arguments of a function: its caller promises
// that what is written overlaps nothing else.
bool assay_memory_may_touch(MlirOperation operation, MlirValue buffer);
// The same for writing and freeing only.
bool assay_memory_may_write(MlirOperation operation, MlirValue buffer);

// Whether two memrefs are known to be views of one buffer. False for two arguments of a function.
bool assay_memory_shared(MlirValue a, MlirValue b);

#ifdef __cplusplus
}
#endif

#endif
