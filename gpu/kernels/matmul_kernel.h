// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiled matrix product as text: what it multiplies, how the work is cut, and the pieces that
// its two kernels share, one with fused multiply-adds and one with tensor cores.
//
// A block of threads computes one tile of C and walks along K. Of each step it holds a tile of A
// and one of B in shared memory, both with K as the first axis, twice: while one pair is read, the
// next is loaded to registers and then stored to the other pair.
#ifndef ASSAY_GPU_KERNELS_MATMUL_KERNEL_H
#define ASSAY_GPU_KERNELS_MATMUL_KERNEL_H

#include "compiler/base/text.h"

// A matrix as a memref: [batch,] row, column.
typedef struct assay_matmul_view {
  const char *type;      // MLIR's text of it
  int64_t offset, batch; // in elements; INT64_MIN where they are dynamic
  int64_t row_stride, column_stride;
} assay_matmul_view;

// C (+)= A B with A of m x k, B of k x n; a transposed view holds its two axes exchanged.
typedef struct assay_matmul_product {
  bool batched;
  int64_t batch, m, n, k; // batch is 1 where not batched
  int bytes;              // of an element: 4 (f32) or 8 (f64)
  assay_matmul_view a, b, c;
  bool a_transposed, b_transposed, accumulate;
} assay_matmul_product;

// How a block's work is cut. The 32 threads of a warp stand in 4 rows of 8, a thread computes
// rows x columns elements, in groups of one vector that lie a warp's width apart.
typedef struct assay_matmul_tile {
  int rows, columns;
  int warps_m, warps_n;
  int k;              // depth of a tile of A and B
  int splits;         // so many groups of warps share that depth among them, and add up at the end
  int blocks;         // resident on a multiprocessor at least: bounds the registers
  bool whole_vectors; // only where A and B are loaded so: else there are too few registers
} assay_matmul_tile;

typedef struct assay_matmul_tiles {
  const assay_matmul_tile *items; // from the largest to the smallest
  int count;
} assay_matmul_tiles;
// All for elements of so many bytes; tf32: for assay_matmul_text_tf32.
assay_matmul_tiles assay_matmul_tiles_of(int bytes, bool tf32);

int assay_matmul_tile_m(const assay_matmul_tile *tile);
int assay_matmul_tile_n(const assay_matmul_tile *tile);
int assay_matmul_threads(const assay_matmul_tile *tile);
int64_t assay_matmul_blocks(const assay_matmul_product *product, const assay_matmul_tile *tile);
// The one that suits a device of some 100 multiprocessors.
const assay_matmul_tile *assay_matmul_choose(const assay_matmul_product *product, bool tf32);

// How many elements of a row of the view one access may take: a whole vector where every row
// starts at a multiple of it and the rows' extent is one, else 1. Base pointers are aligned to 256
// bytes, so that the offset decides.
int assay_matmul_width(const assay_matmul_product *product, const assay_matmul_view *view,
                       int64_t extent, int vector);

// The gpu.func, in the arena. Sizes of C are at least 1; k may be 0.
const char *assay_matmul_text(assay_arena *arena, const char *name,
                              const assay_matmul_product *product, const assay_matmul_tile *tile);
// The same of f32 rounded to tf32, to nearest and ties away from zero, with sums of f32.
const char *assay_matmul_text_tf32(assay_arena *arena, const char *name,
                                   const assay_matmul_product *product,
                                   const assay_matmul_tile *tile);

#endif
