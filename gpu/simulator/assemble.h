// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gpu.module of NVVM -> an object for the simulator: the very LLVM module that the NVPTX backend
// would take, compiled for this processor with its special registers, barriers, shuffles and
// shared memory handed to the simulator and every access of memory checked first.
#ifndef ASSAY_GPU_SIMULATOR_ASSEMBLE_H
#define ASSAY_GPU_SIMULATOR_ASSEMBLE_H

#include "compiler/base/error.h"

#include <mlir-c/IR.h>
#include <stddef.h>

// gpu_module: a gpu.module whose functions are of the llvm dialect and nvvm, left as it is. Lines
// that the simulator reports are those of the operations' locations. The bytes are malloc'ed and
// the caller's. ASSAY_FAILED names an operation or intrinsic that the simulator does not know:
// nothing is skipped.
ASSAY_MUST_USE assay_code assay_simulator_assemble(MlirOperation gpu_module, void **out_bytes,
                                                   size_t *out_size, assay_error *err);

#endif
