// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in the making: the gpu.module that they go to, and their launch from the host.
#ifndef ASSAY_GPU_KERNELS_MAKE_H
#define ASSAY_GPU_KERNELS_MAKE_H

#include "compiler/base/arena.h"
#include "compiler/base/error.h"
#include "compiler/lower/contraction.h"

#include <mlir-c/IR.h>
#include <stdint.h>

enum {
  ASSAY_GPU_WARP = 32,
  ASSAY_GPU_MAX_THREADS = 1024,     // of a block
  ASSAY_GPU_MAX_GRID_Y = 65535,     // and z; CUDA C programming guide, compute capabilities
  ASSAY_GPU_MAX_SHARED = 48 * 1024, // bytes of static shared memory of a block
};
#define ASSAY_GPU_MAX_GRID_X INT64_C(2147483647)

typedef struct assay_kernel_maker {
  assay_arena *arena;
  MlirOperation module;  // builtin.module, with gpu.container_module
  MlirOperation kernels; // gpu.module @kernels in it; null until the first kernel
  int count;             // of kernels, which numbers their names: "matmul_3"
} assay_kernel_maker;

// A launch: blocks and threads in x alone, so that the limit is that of the x axis.
typedef struct assay_kernel_grid {
  int64_t blocks, threads;
} assay_kernel_grid;

// "KIND_N", for the next kernel; in the arena.
const char *assay_kernel_name(assay_kernel_maker *maker, const char *kind);
// The body of @kernels, made with the first call.
MlirBlock assay_kernel_block(assay_kernel_maker *maker);
// Parses the text of one gpu.func, named as above, and puts it into @kernels. ASSAY_FAILED with
// MLIR's diagnostics: the text is ours, so that this is a fault of ours.
ASSAY_MUST_USE assay_code assay_kernel_parse(assay_kernel_maker *maker, const char *text,
                                             assay_error *err);
// A launch of that kernel right before the operation.
void assay_kernel_launch(assay_kernel_maker *maker, MlirOperation before, const char *name,
                         assay_kernel_grid grid, int count, const MlirValue arguments[]);

// The tiled kernel for a contraction by name of f32 or f64 memrefs of any strides and its launch
// before the operation, which is left to the caller. accumulate: C += A*B, else C = A*B.
// ASSAY_UNSUPPORTED for other element types and for constants of the host: these are left to the
// kernel for all operations.
ASSAY_MUST_USE assay_code assay_kernel_matmul(assay_kernel_maker *maker,
                                              const assay_contraction *contraction, bool accumulate,
                                              assay_error *err);
// The same of f32 on tensor cores: operands are rounded to tf32, to nearest, sums are f32.
ASSAY_MUST_USE assay_code assay_kernel_matmul_tf32(assay_kernel_maker *maker,
                                                   const assay_contraction *contraction,
                                                   bool accumulate, assay_error *err);

#endif
