// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: matrix products of any size, and their kernels as modules.
#ifndef ASSAY_GPU_KERNELS_MATMUL_TESTING_H
#define ASSAY_GPU_KERNELS_MATMUL_TESTING_H

#include "gpu/kernels/kernels_testing.h"
#include "gpu/kernels/matmul_kernel.h"

// Rows are padding elements longer than they must be, and each matrix starts at offset.
typedef struct matmul_case {
  int64_t m, n, k, batch; // batch 0: of rank 2
  int bytes;
  bool a_transposed, b_transposed, accumulate;
  int64_t padding, offset;
  bool by_columns; // the elements of a column stand side by side, in all three
} matmul_case;

static inline assay_matmul_view view_of(assay_arena *arena, const matmul_case *of, int64_t rows,
                                        int64_t columns) {
  int64_t stride = (of->by_columns ? rows : columns) + of->padding;
  int64_t row_stride = of->by_columns ? 1 : stride, column_stride = of->by_columns ? stride : 1;
  int64_t batch = of->batch > 0 ? (of->by_columns ? columns : rows) * stride : 0;
  assay_text shape = {.arena = arena}, strides = {.arena = arena};
  if (of->batch > 0) {
    assay_text_print(&shape, "%lldx", (long long)of->batch);
    assay_text_print(&strides, "%lld, ", (long long)batch);
  }
  assay_text_print(&shape, "%lldx%lld", (long long)rows, (long long)columns);
  assay_text_print(&strides, "%lld, %lld", (long long)row_stride, (long long)column_stride);
  return (assay_matmul_view){
      .type = assay_arena_format(arena, "memref<%sxf%d, strided<[%s], offset: %lld>>",
                                 assay_text_get(&shape), of->bytes * 8, assay_text_get(&strides),
                                 (long long)of->offset),
      .offset = of->offset,
      .batch = batch,
      .row_stride = row_stride,
      .column_stride = column_stride,
  };
}

static inline assay_matmul_product product_of(assay_arena *arena, const matmul_case *of) {
  bool ta = of->a_transposed, tb = of->b_transposed;
  return (assay_matmul_product){
      .batched = of->batch > 0,
      .batch = of->batch > 0 ? of->batch : 1,
      .m = of->m,
      .n = of->n,
      .k = of->k,
      .bytes = of->bytes,
      .a_transposed = ta,
      .b_transposed = tb,
      .accumulate = of->accumulate,
      .a = view_of(arena, of, ta ? of->k : of->m, ta ? of->m : of->k),
      .b = view_of(arena, of, tb ? of->n : of->k, tb ? of->k : of->n),
      .c = view_of(arena, of, of->m, of->n),
  };
}

static inline const char *describe(assay_arena *arena, const matmul_case *of,
                                   const assay_matmul_tile *tile) {
  return assay_arena_format(
      arena, "m=%lld n=%lld k=%lld batch=%lld f%d%s%s%s%s padding=%lld offset=%lld, tile %d x %d",
      (long long)of->m, (long long)of->n, (long long)of->k, (long long)of->batch, of->bytes * 8,
      of->a_transposed ? " a transposed" : "", of->b_transposed ? " b transposed" : "",
      of->accumulate ? " accumulate" : "", of->by_columns ? " by columns" : "",
      (long long)of->padding, (long long)of->offset, assay_matmul_tile_m(tile),
      assay_matmul_tile_n(tile));
}

static inline const char *text_of(assay_arena *arena, const char *name, const matmul_case *of,
                                  const assay_matmul_tile *tile, bool tf32) {
  assay_matmul_product product = product_of(arena, of);
  return tf32 ? assay_matmul_text_tf32(arena, name, &product, tile)
              : assay_matmul_text(arena, name, &product, tile);
}

// Tiles of every kind, one after the other; false after the last.
typedef struct matmul_tile_kind {
  int bytes;
  bool tf32;
  const assay_matmul_tile *tile;
} matmul_tile_kind;

static inline bool tile_kind_at(int i, matmul_tile_kind *out_kind) {
  const matmul_tile_kind kinds[] = {{4, false, NULL}, {8, false, NULL}, {4, true, NULL}};
  for (int j = 0; j < 3; j++) {
    assay_matmul_tiles tiles = assay_matmul_tiles_of(kinds[j].bytes, kinds[j].tf32);
    if (i < tiles.count) {
      *out_kind = (matmul_tile_kind){kinds[j].bytes, kinds[j].tf32, &tiles.items[i]};
      return true;
    }
    i -= tiles.count;
  }
  return false;
}

#endif
