// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that make GPU kernels of bufferized programs. They stand in compiler/pipelines/ by
// name, as those of compiler/lower do.
#ifndef ASSAY_GPU_KERNELS_KERNELS_H
#define ASSAY_GPU_KERNELS_KERNELS_H

#include "compiler/bridge/pass.h"

// On memrefs: memref.reshape and its shape, by views that need neither.
extern const assay_pass assay_pass_gpu_views;
// On memrefs: each linalg operation and memref.copy becomes a gpu.func in the gpu.module @kernels
// and a gpu.launch_func in its place. Matrix products by name become the tiled shared-memory
// kernel, reductions one block for each row, everything else one thread for each element.
// Constants move into @kernels. Operations that it does not know stay.
extern const assay_pass assay_pass_gpu_kernels;
// In a gpu.module: square roots, absolute values, fused products and roundings become instructions
// of the GPU, powers of integers loops; other functions of the dialect math stay, and need
// libdevice.
extern const assay_pass assay_pass_gpu_math;
// In a gpu.module: gpu.all_reduce becomes shuffles and one exchange through shared memory, in which
// no two threads race.
extern const assay_pass assay_pass_gpu_all_reduce;
// On memrefs: operands of matrix products by name that a library cannot read are copied for it.
extern const assay_pass assay_pass_gpu_pack_operands;
// Refuses what would run on the host by accident: linalg, scf.parallel, loads and stores and
// globals in host functions, memref.copy; and launches beyond a device's limits.
extern const assay_pass assay_pass_gpu_check_host;

// Registers them with MLIR for the whole process; again is allowed.
void assay_gpu_passes_register(void);

#endif
