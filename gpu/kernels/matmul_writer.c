// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/matmul_writer.h"

#include "gpu/kernels/make.h"

#include <assert.h>
#include <string.h>

static assay_matmul_load load_make(const assay_matmul_writer *w, char letter) {
  const assay_matmul_product *product = w->product;
  bool is_a = letter == 'A';
  assay_matmul_load load = {
      .letter = letter,
      .view = is_a ? &product->a : &product->b,
      .extent = is_a ? product->m : product->n,
      .tile_x = is_a ? w->tile_m : w->tile_n,
      .k_last = is_a ? !product->a_transposed : product->b_transposed,
  };
  const assay_matmul_view *view = load.view;
  bool lanes_last = view->column_stride == 1 || view->row_stride != 1;
  load.lanes_k = lanes_last == load.k_last;
  int64_t last = load.k_last ? product->k : load.extent;
  load.width = assay_matmul_width(product, view, last, w->vector);
  // Stores that go across K hit other banks for it. A warp reads fragments of mma from 4 rows of
  // K at a time, 8 elements of each: 8 apart they use each of the 32 banks once.
  int padding = w->tf32 ? 8 : load.lanes_k ? w->vector : 0;
  load.padded = load.tile_x + padding;
  int elements = load.tile_x * w->tile->k;
  load.count = elements / load.width / w->threads;
  assert(load.count * load.width * w->threads == elements);
  return load;
}

assay_matmul_writer assay_matmul_writer_make(assay_arena *arena,
                                             const assay_matmul_product *product,
                                             const assay_matmul_tile *tile, bool tf32) {
  assay_matmul_writer w = {
      .arena = arena,
      .product = product,
      .tile = tile,
      .tile_m = assay_matmul_tile_m(tile),
      .tile_n = assay_matmul_tile_n(tile),
      .threads = assay_matmul_threads(tile),
      .vector = 16 / product->bytes,
      .element = product->bytes == 4 ? "f32" : "f64",
      .tf32 = tf32,
      .body = {.arena = arena},
  };
  w.a = load_make(&w, 'A');
  w.b = load_make(&w, 'B');
  return w;
}

const char *assay_matmul_constant(assay_matmul_writer *w, int64_t value) {
  int i = 0;
  while (i < w->constant_count && w->constants[i] != value)
    i++;
  if (i == w->constant_count) {
    assert(i < ASSAY_MATMUL_MAX_CONSTANTS);
    w->constants[w->constant_count++] = value;
  }
  return assay_arena_format(w->arena, "%%c%lld", (long long)value);
}

void assay_matmul_index(assay_matmul_writer *w, const char *name, const char *operation,
                        const char *left, const char *right) {
  bool wraps = strcmp(operation, "addi") == 0 || strcmp(operation, "muli") == 0;
  assay_text_print(&w->body, "  %%%s = arith.%s %s, %s%s : i32\n", name, operation, left, right,
                   wraps ? " overflow<nsw, nuw>" : "");
}

const char *assay_matmul_fresh(assay_matmul_writer *w) {
  return assay_arena_format(w->arena, "%%v%d", w->fresh++);
}

const char *assay_matmul_at(assay_matmul_writer *w, const char *first, const char *second,
                            const char *third) {
  const char *const value[] = {first, second, third};
  assay_text at = {.arena = w->arena};
  for (int i = 0; i < 3; i++) {
    if (value[i] == NULL)
      continue;
    const char *index = assay_matmul_fresh(w);
    assay_text_print(&w->body, "  %s = arith.index_castui %s : i32 to index\n", index, value[i]);
    assay_text_print(&at, "%s%s", at.length == 0 ? "[" : ", ", index);
  }
  assay_text_print(&at, "]");
  return assay_text_get(&at);
}

void assay_matmul_write_store(assay_matmul_writer *w, int width, const char *value, const char *row,
                              const char *column) {
  const assay_matmul_product *product = w->product;
  const char *type =
      width == 1 ? w->element : assay_arena_format(w->arena, "vector<%dx%s>", width, w->element);
  const char *dialect = width == 1 ? "memref" : "vector";
  const char *aligned =
      assay_arena_format(w->arena, " {alignment = %d : i64}", width * product->bytes);
  const char *access = assay_arena_format(
      w->arena, "%%C%s%s : %s%s%s",
      assay_matmul_at(w, product->batched ? "%batch" : NULL, row, column),
      width == 1 ? "" : aligned, product->c.type, width == 1 ? "" : ", ", width == 1 ? "" : type);
  if (product->accumulate) {
    const char *old = assay_matmul_fresh(w), *sum = assay_matmul_fresh(w);
    assay_text_print(&w->body, "  %s = %s.load %s\n", old, dialect, access);
    assay_text_print(&w->body, "  %s = arith.addf %s, %s : %s\n", sum, old, value, type);
    value = sum;
  }
  assay_text_print(&w->body, "  %s.store %s, %s\n", dialect, value, access);
}

bool assay_matmul_open_guard(assay_matmul_writer *w, const char *index, int64_t extent, int tile) {
  if (extent % tile == 0)
    return false;
  const char *inside = assay_matmul_fresh(w);
  assay_text_print(&w->body, "  %s = arith.cmpi ult, %s, %s : i32\n  scf.if %s {\n", inside, index,
                   assay_matmul_constant(w, extent), inside);
  return true;
}

void assay_matmul_close_guard(assay_matmul_writer *w, bool opened) {
  if (opened)
    assay_text_print(&w->body, "  }\n");
}

// "%NAME = VALUE / divisor" and "%REST = VALUE % divisor".
static void divide(assay_matmul_writer *w, const char *quotient, const char *rest,
                   const char *value, int64_t divisor) {
  const char *by = assay_matmul_constant(w, divisor);
  assay_matmul_index(w, quotient, "divui", value, by);
  assay_matmul_index(w, rest, "remui", value, by);
}

// Blocks that run at the same time share rows of A and columns of B in the cache: they walk down
// bands of some tile rows. Bands are of one height, so that all divisors are constants.
static int64_t band_height(int64_t tiles_m) {
  int64_t height = 8;
  while (tiles_m % height != 0)
    height--;
  return height;
}

void assay_matmul_write_places(assay_matmul_writer *w) {
  const assay_matmul_product *product = w->product;
  const assay_matmul_tile *tile = w->tile;
  int64_t tiles_m = (product->m + w->tile_m - 1) / w->tile_m;
  int64_t tiles_n = (product->n + w->tile_n - 1) / w->tile_n, height = band_height(tiles_m);
  assay_text_print(&w->body, "  %%block_id = gpu.block_id x upper_bound %lld\n",
                   (long long)assay_matmul_blocks(product, tile));
  assay_text_print(&w->body, "  %%block = arith.index_castui %%block_id : index to i32\n");
  divide(w, "batch", "in_batch", "%block", tiles_m * tiles_n);
  divide(w, "band", "in_band", "%in_batch", height * tiles_n);
  divide(w, "tile_n", "in_column", "%in_band", height);
  assay_matmul_index(w, "band_m", "muli", "%band", assay_matmul_constant(w, height));
  assay_matmul_index(w, "tile_m", "addi", "%band_m", "%in_column");
  assay_matmul_index(w, "m0", "muli", "%tile_m", assay_matmul_constant(w, w->tile_m));
  assay_matmul_index(w, "n0", "muli", "%tile_n", assay_matmul_constant(w, w->tile_n));
  assay_text_print(&w->body, "  %%thread_id = gpu.thread_id x upper_bound %d\n", w->threads);
  assay_text_print(&w->body, "  %%tid = arith.index_castui %%thread_id : index to i32\n");
  divide(w, "warp", "lane", "%tid", ASSAY_GPU_WARP);
  divide(w, "split", "in_split", "%warp", (int64_t)tile->warps_m * tile->warps_n);
  divide(w, "warp_m", "warp_n", "%in_split", tile->warps_n);
  assay_text_print(&w->body, "  %%zero = arith.constant 0.0 : %s\n", w->element);
  assay_text_print(&w->body, "  %%zeros = arith.constant dense<0.0> : vector<%dx%s>\n", w->vector,
                   w->element);
}

const char *assay_matmul_finish(assay_matmul_writer *w, const char *name, const char *extra) {
  const assay_matmul_product *product = w->product;
  assay_text head = {.arena = w->arena};
  assay_text_print(&head, "gpu.func @%s(%%A: %s, %%B: %s, %%C: %s)\n    workgroup(", name,
                   product->a.type, product->b.type, product->c.type);
  // Of a shared buffer no more is known than what is said here; vectors need the 16 bytes.
  const char *aligned = "#gpu.address_space<workgroup>> {llvm.align = 16 : i64}";
  assay_text_print(&head, "%%As: memref<2x%dx%dx%s, %s,\n              ", w->tile->k, w->a.padded,
                   w->element, aligned);
  assay_text_print(&head, "%%Bs: memref<2x%dx%dx%s, %s", w->tile->k, w->b.padded, w->element,
                   aligned);
  if (extra != NULL)
    assay_text_print(&head, ",\n              %%Rs: memref<%s, %s", extra, aligned);
  assay_text_print(&head, ")\n    kernel attributes {known_block_size = array<i32: %d, 1, 1>, ",
                   w->threads);
  assay_text_print(&head, "nvvm.minctasm = %d : i32} {\n", w->tile->blocks);
  for (int i = 0; i < w->constant_count; i++)
    assay_text_print(&head, "  %%c%lld = arith.constant %lld : i32\n", (long long)w->constants[i],
                     (long long)w->constants[i]);
  assay_text_print(&head, "%s  gpu.return\n}\n", assay_text_get(&w->body));
  return assay_text_get(&head);
}
