// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the work is cut, and which cut suits which product.
#include "gpu/kernels/matmul_kernel.h"

#include "gpu/kernels/make.h"

enum { WARP_ROWS = 4, WARP_COLUMNS = 8 };

// The last of each is for C of a few rows: B is read once, as fast as memory gives it, and many
// warps share a narrow tile's K to have enough loads under way.
static const assay_matmul_tile tiles_f32[] = {
    {8, 16, 4, 2, .k = 8, .splits = 1, .blocks = 1},                       // 128 x 256
    {8, 8, 4, 2, .k = 8, .splits = 1, .blocks = 2, .whole_vectors = true}, // 128 x 128
    {8, 4, 4, 2, .k = 16, .splits = 1, .blocks = 2},                       // 128 x 64
    {4, 4, 4, 2, .k = 16, .splits = 1, .blocks = 2},                       // 64 x 64
    {4, 4, 1, 1, .k = 64, .splits = 8, .blocks = 2},                       // 16 x 32
};
static const assay_matmul_tile tiles_f64[] = {
    {8, 4, 4, 2, .k = 8, .splits = 1, .blocks = 1},  // 128 x 64
    {4, 4, 4, 2, .k = 16, .splits = 1, .blocks = 2}, // 64 x 64
    {4, 4, 1, 1, .k = 32, .splits = 4, .blocks = 2}, // 16 x 32
};
// Warps of 64 x 64, the least traffic of shared memory for each mma, or of 32 x 32.
static const assay_matmul_tile tiles_tf32[] = {
    {16, 8, 2, 2, .k = 16, .splits = 1, .blocks = 2, .whole_vectors = true}, // 128 x 128
    {8, 4, 2, 2, .k = 16, .splits = 1, .blocks = 4},                         // 64 x 64
};

assay_matmul_tiles assay_matmul_tiles_of(int bytes, bool tf32) {
  if (tf32)
    return (assay_matmul_tiles){tiles_tf32, sizeof tiles_tf32 / sizeof *tiles_tf32};
  if (bytes == 4)
    return (assay_matmul_tiles){tiles_f32, sizeof tiles_f32 / sizeof *tiles_f32};
  return (assay_matmul_tiles){tiles_f64, sizeof tiles_f64 / sizeof *tiles_f64};
}

int assay_matmul_tile_m(const assay_matmul_tile *tile) {
  return tile->warps_m * WARP_ROWS * tile->rows;
}

int assay_matmul_tile_n(const assay_matmul_tile *tile) {
  return tile->warps_n * WARP_COLUMNS * tile->columns;
}

int assay_matmul_threads(const assay_matmul_tile *tile) {
  return ASSAY_GPU_WARP * tile->warps_m * tile->warps_n * tile->splits;
}

static int64_t divide_up(int64_t value, int64_t by) {
  return value / by + (value % by != 0);
}

int64_t assay_matmul_blocks(const assay_matmul_product *product, const assay_matmul_tile *tile) {
  return product->batch * divide_up(product->m, assay_matmul_tile_m(tile)) *
         divide_up(product->n, assay_matmul_tile_n(tile));
}

static bool is_multiple(int64_t value, int of) {
  return value != INT64_MIN && value % of == 0;
}

int assay_matmul_width(const assay_matmul_product *product, const assay_matmul_view *view,
                       int64_t extent, int vector) {
  bool whole = view->column_stride == 1 && extent % vector == 0 &&
               is_multiple(view->row_stride, vector) && is_multiple(view->offset, vector) &&
               (!product->batched || is_multiple(view->batch, vector));
  return whole ? vector : 1;
}

static bool has_whole_vectors(const assay_matmul_product *product) {
  int vector = 16 / product->bytes;
  int64_t a_extent = product->a_transposed ? product->m : product->k;
  int64_t b_extent = product->b_transposed ? product->k : product->n;
  return assay_matmul_width(product, &product->a, a_extent, vector) == vector &&
         assay_matmul_width(product, &product->b, b_extent, vector) == vector;
}

// Cycles of the busiest multiprocessor for each k, to tell tiles apart, not to foretell a time: a
// warp's multiply-adds on one of four units, and its reads of shared memory, 16 bytes of each
// thread in 4 cycles. Tensor cores and f64 change both by much the same factor.
static int64_t cycles(const assay_matmul_product *product, const assay_matmul_tile *tile) {
  enum { MULTIPROCESSORS = 128 };
  int64_t warp = tile->rows * tile->columns / 4 + tile->rows + tile->columns;
  return divide_up(assay_matmul_blocks(product, tile), MULTIPROCESSORS) * warp * tile->warps_m *
         tile->warps_n;
}

const assay_matmul_tile *assay_matmul_choose(const assay_matmul_product *product, bool tf32) {
  assay_matmul_tiles tiles = assay_matmul_tiles_of(product->bytes, tf32);
  const assay_matmul_tile *last = &tiles.items[tiles.count - 1], *best = NULL;
  if (product->m <= assay_matmul_tile_m(last))
    return last;
  for (int i = 0; i < tiles.count; i++) {
    const assay_matmul_tile *tile = &tiles.items[i];
    if (tile->splits == 1 && (!tile->whole_vectors || has_whole_vectors(product)) &&
        (best == NULL || cycles(product, tile) < cycles(product, best)))
      best = tile;
  }
  return best;
}
