// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product on tensor cores: each warp multiplies by mma.sync of 16 x 8 x 8, from the same
// shared tiles, whose elements were rounded to tf32 as they were stored. Which lane holds what is
// told by PTX ISA, section "Matrix Fragments for mma.m16n8k8": with g = lane / 4 and t = lane % 4,
// A's four are rows g, g + 8 at k = t, then at t + 4; B's two are column g at k = t, t + 4; the
// sums are row g at columns 2t, 2t + 1, then row g + 8.
#include "gpu/kernels/matmul_writer.h"

enum { WARP_ROWS = 4, WARP_COLUMNS = 8, MMA_M = 16, MMA_N = 8, MMA_K = 8, SUMS = 4 };

static int count_m(const assay_matmul_writer *w) {
  return WARP_ROWS * w->tile->rows / MMA_M;
}

static int count_n(const assay_matmul_writer *w) {
  return WARP_COLUMNS * w->tile->columns / MMA_N;
}

static const char *add(assay_matmul_writer *w, const char *value, int64_t constant) {
  const char *name = assay_matmul_fresh(w);
  assay_matmul_index(w, name + 1, "addi", value, assay_matmul_constant(w, constant));
  return name;
}

// %group and %in_group are g and t; %xA, %xB are where the warp's part of a tile starts, plus g.
static void write_lane_places(assay_matmul_writer *w) {
  const char *four = assay_matmul_constant(w, 4);
  assay_matmul_index(w, "group", "divui", "%lane", four);
  assay_matmul_index(w, "in_group", "remui", "%lane", four);
  assay_matmul_index(w, "warp_row", "muli", "%warp_m",
                     assay_matmul_constant(w, (int64_t)WARP_ROWS * w->tile->rows));
  assay_matmul_index(w, "warp_column", "muli", "%warp_n",
                     assay_matmul_constant(w, (int64_t)WARP_COLUMNS * w->tile->columns));
  assay_matmul_index(w, "xA", "addi", "%warp_row", "%group");
  assay_matmul_index(w, "xB", "addi", "%warp_column", "%group");
}

// One element of a shared tile at k = from_k + t, x = the warp's start + x + g, as bits. x and
// from_k are multiples of 8 and 4: the exchange of eights does not touch g.
static const char *write_bits(assay_matmul_writer *w, const assay_matmul_load *load, int from_k,
                              int x) {
  int exchanged = x ^ assay_matmul_exchange(from_k);
  const char *k = add(w, "%in_group", from_k);
  const char *place = add(w, load->letter == 'A' ? "%xA" : "%xB", exchanged);
  const char *at = assay_matmul_at(w, "%cur", k, place);
  const char *element = assay_matmul_fresh(w), *bits = assay_matmul_fresh(w);
  assay_text_print(&w->body, "  %s = memref.load %%%cs%s : %s\n", element, load->letter, at,
                   assay_matmul_shared_type(w, load));
  assay_text_print(&w->body, "  %s = arith.bitcast %s : f32 to i32\n", bits, element);
  return bits;
}

// "%b0, %b1, ...": the elements of a fragment at rows or columns x, x + 8 (count of them), at k = t
// and at k = t + 4.
static const char *write_fragment(assay_matmul_writer *w, const assay_matmul_load *load, int from_k,
                                  int x, int count) {
  assay_text list = {.arena = w->arena};
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < count; i++)
      assay_text_print(&list, "%s%s", list.length == 0 ? "" : ", ",
                       write_bits(w, load, from_k + 4 * half, x + 8 * i));
  return assay_text_get(&list);
}

static void write_mma(assay_matmul_writer *w, const char *a, const char *b, int sum,
                      const char *from, const char *to) {
  const char *result = assay_matmul_fresh(w), *type = "!llvm.struct<(f32, f32, f32, f32)>";
  assay_text_print(&w->body, "  %s = nvvm.mma.sync A[%s] B[%s] C[", result, a, b);
  for (int i = 0; i < SUMS; i++)
    assay_text_print(&w->body, "%s%%sum%d%s", i == 0 ? "" : ", ", sum + i, from);
  assay_text_print(&w->body,
                   "] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, "
                   "multiplicandAPtxType = #nvvm.mma_type<tf32>, "
                   "multiplicandBPtxType = #nvvm.mma_type<tf32>, "
                   "shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> %s\n",
                   type);
  for (int i = 0; i < SUMS; i++)
    assay_text_print(&w->body, "  %%sum%d%s = llvm.extractvalue %s[%d] : %s\n", sum + i, to, result,
                     i, type);
}

static void write_step(assay_matmul_writer *w) {
  enum { MOST = 16 };
  int steps = w->tile->k / MMA_K;
  for (int s = 0; s < steps; s++) {
    const char *a[MOST] = {NULL}, *b[MOST] = {NULL};
    for (int i = 0; i < count_m(w); i++)
      a[i] = write_fragment(w, &w->a, s * MMA_K, i * MMA_M, 2);
    for (int j = 0; j < count_n(w); j++)
      b[j] = write_fragment(w, &w->b, s * MMA_K, j * MMA_N, 1);
    const char *from = s == 0 ? "" : assay_arena_format(w->arena, "_%d", s - 1);
    const char *to = s == steps - 1 ? "_next" : assay_arena_format(w->arena, "_%d", s);
    for (int i = 0; i < count_m(w); i++)
      for (int j = 0; j < count_n(w); j++)
        write_mma(w, a[i], b[j], SUMS * (i * count_n(w) + j), from, to);
  }
}

// Two neighbouring sums, as one vector where C's rows allow it.
static void write_pair(assay_matmul_writer *w, int width, int sum, const char *row,
                       const char *column) {
  const assay_matmul_product *product = w->product;
  for (int e = 0; e < 2; e += width) {
    const char *value = assay_arena_format(w->arena, "%%total#%d", sum + e);
    const char *at = add(w, column, e);
    bool guarded = assay_matmul_open_guard(w, at, product->n, w->tile_n);
    if (width == 2) {
      const char *pair = assay_matmul_fresh(w);
      assay_text_print(&w->body, "  %s = vector.from_elements %s, %%total#%d : vector<2xf32>\n",
                       pair, value, sum + 1);
      value = pair;
    }
    assay_matmul_write_store(w, width, value, row, at);
    assay_matmul_close_guard(w, guarded);
  }
}

static void write_results(assay_matmul_writer *w) {
  const assay_matmul_product *product = w->product;
  int width = assay_matmul_width(product, &product->c, product->n, 2);
  assay_matmul_index(w, "row0", "addi", "%m0", "%xA");
  assay_matmul_index(w, "pair", "muli", "%in_group", assay_matmul_constant(w, 2));
  assay_matmul_index(w, "in_row", "addi", "%warp_column", "%pair");
  assay_matmul_index(w, "column0", "addi", "%n0", "%in_row");
  for (int i = 0; i < 2 * count_m(w); i++) {
    const char *row = add(w, "%row0", (int64_t)i * 8);
    bool guarded = assay_matmul_open_guard(w, row, product->m, w->tile_m);
    for (int j = 0; j < count_n(w); j++) {
      int sum = SUMS * (i / 2 * count_n(w) + j) + 2 * (i % 2);
      write_pair(w, width, sum, row, add(w, "%column0", (int64_t)j * MMA_N));
    }
    assay_matmul_close_guard(w, guarded);
  }
}

const char *assay_matmul_text_tf32(assay_arena *arena, const char *name,
                                   const assay_matmul_product *product,
                                   const assay_matmul_tile *tile) {
  assay_matmul_writer writer = assay_matmul_writer_make(arena, product, tile, true);
  assay_matmul_writer *w = &writer;
  assay_matmul_write_places(w);
  assay_text_print(&w->body, "  %%zero_sum = arith.constant 0.0 : f32\n");
  write_lane_places(w);
  assay_matmul_write_loop(w, SUMS * count_m(w) * count_n(w), "f32", write_step);
  write_results(w);
  return assay_matmul_finish(w, name, NULL);
}
