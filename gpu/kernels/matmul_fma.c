// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product by fused multiply-adds of vectors: a thread's sums stay in registers along all of K.
#include "gpu/kernels/matmul_writer.h"

enum { WARP_ROWS = 4, WARP_COLUMNS = 8 };

static const char *vector_type(const assay_matmul_writer *w) {
  return assay_arena_format(w->arena, "vector<%dx%s>", w->vector, w->element);
}

// %tm0, %tm1, ...: where a thread's groups of rows start in the tile; %tn0, ... of columns. Groups
// lie a warp's width apart, so that the lanes of one row read 16 bytes each side by side.
static void write_thread_places(assay_matmul_writer *w) {
  const struct {
    const char *axis, *warp, *lane;
    int lanes, elements;
  } axis[] = {{"m", "%warp_m", "%lane_m", WARP_ROWS, w->tile->rows},
              {"n", "%warp_n", "%lane_n", WARP_COLUMNS, w->tile->columns}};
  const char *columns = assay_matmul_constant(w, WARP_COLUMNS);
  assay_matmul_index(w, "lane_m", "divui", "%lane", columns);
  assay_matmul_index(w, "lane_n", "remui", "%lane", columns);
  for (int i = 0; i < 2; i++) {
    const char *a = axis[i].axis;
    const char *extent = assay_matmul_constant(w, (int64_t)axis[i].lanes * axis[i].elements);
    const char *name = assay_arena_format(w->arena, "warp_start_%s", a);
    assay_matmul_index(w, name, "muli", axis[i].warp, extent);
    const char *lane = assay_arena_format(w->arena, "lane_start_%s", a);
    assay_matmul_index(w, lane, "muli", axis[i].lane, assay_matmul_constant(w, w->vector));
    for (int g = 0; g < axis[i].elements / w->vector; g++) {
      const char *group = assay_matmul_constant(w, (int64_t)g * axis[i].lanes * w->vector);
      assay_text_print(&w->body, "  %%tg%s%d = arith.addi %%%s, %s overflow<nsw, nuw> : i32\n", a,
                       g, lane, group);
      assay_text_print(&w->body, "  %%t%s%d = arith.addi %%%s, %%tg%s%d overflow<nsw, nuw> : i32\n",
                       a, g, name, a, g);
    }
  }
}

static void write_fragments(assay_matmul_writer *w, const assay_matmul_load *load, int step,
                            const char *k) {
  bool is_a = load->letter == 'A';
  int groups = (is_a ? w->tile->rows : w->tile->columns) / w->vector;
  for (int g = 0; g < groups; g++) {
    const char *x = assay_arena_format(w->arena, "%%t%c%d", is_a ? 'm' : 'n', g);
    const char *at = assay_matmul_at(w, "%cur", k, x);
    assay_text_print(&w->body, "  %%%cf%d_%d = vector.load %%%cs%s ", load->letter, step, g,
                     load->letter, at);
    assay_text_print(&w->body,
                     "{alignment = 16 : i64} : memref<2x%dx%dx%s, "
                     "#gpu.address_space<workgroup>>, %s\n",
                     w->tile->k, load->padded, w->element, vector_type(w));
  }
}

// All k of the tiles, or this warp's share of them: k = split, split + splits, ...
static void write_step(assay_matmul_writer *w) {
  assay_text *text = &w->body;
  const assay_matmul_tile *tile = w->tile;
  int groups = tile->columns / w->vector, steps = tile->k / tile->splits;
  const char *type = vector_type(w);
  for (int s = 0; s < steps; s++) {
    const char *k = assay_matmul_constant(w, (int64_t)s * tile->splits);
    if (tile->splits > 1) {
      assay_text_print(text, "  %%kk%d = arith.addi %%split, %s overflow<nsw, nuw> : i32\n", s, k);
      k = assay_arena_format(w->arena, "%%kk%d", s);
    }
    write_fragments(w, &w->a, s, k);
    write_fragments(w, &w->b, s, k);
    for (int i = 0; i < tile->rows; i++) {
      assay_text_print(text, "  %%a%d_%d = vector.extract %%Af%d_%d[%d] : %s from %s\n", s, i, s,
                       i / w->vector, i % w->vector, w->element, type);
      assay_text_print(text, "  %%av%d_%d = vector.broadcast %%a%d_%d : %s to %s\n", s, i, s, i,
                       w->element, type);
      for (int g = 0; g < groups; g++) {
        int sum = i * groups + g;
        const char *from = s == 0 ? "" : assay_arena_format(w->arena, "_%d", s - 1);
        const char *to = s == steps - 1 ? "_next" : assay_arena_format(w->arena, "_%d", s);
        assay_text_print(text, "  %%sum%d%s = vector.fma %%av%d_%d, %%Bf%d_%d, %%sum%d%s : %s\n",
                         sum, to, s, i, s, g, sum, from, type);
      }
    }
  }
}

// Sums of this warp's share of K go to %Rs, and each thread adds up some elements, in one order.
static const char *write_split_results(assay_matmul_writer *w) {
  assay_text *text = &w->body;
  const assay_matmul_product *product = w->product;
  const assay_matmul_tile *tile = w->tile;
  int groups = tile->columns / w->vector;
  const char *shape =
      assay_arena_format(w->arena, "%dx%dx%dx%s", tile->splits, w->tile_m, w->tile_n, w->element);
  const char *type =
      assay_arena_format(w->arena, "memref<%s, #gpu.address_space<workgroup>>", shape);
  for (int i = 0; i < tile->rows; i++) {
    const char *row = assay_arena_format(w->arena, "tm_%d", i);
    assay_matmul_index(w, row, "addi", assay_arena_format(w->arena, "%%tm%d", i / w->vector),
                       assay_matmul_constant(w, i % w->vector));
    for (int g = 0; g < groups; g++) {
      const char *at = assay_matmul_at(w, "%split", assay_arena_format(w->arena, "%%%s", row),
                                       assay_arena_format(w->arena, "%%tn%d", g));
      assay_text_print(text, "  vector.store %%total#%d, %%Rs%s {alignment = 16 : i64} : %s, %s\n",
                       i * groups + g, at, type, vector_type(w));
    }
  }
  // Other warps' sums are read from here on.
  assay_text_print(text, "  gpu.barrier\n");
  for (int i = 0; i < w->tile_m * w->tile_n / w->threads; i++) {
    const char *e = assay_arena_format(w->arena, "e%d", i);
    assay_matmul_index(w, e, "addi", "%tid", assay_matmul_constant(w, (int64_t)i * w->threads));
    const char *columns = assay_matmul_constant(w, w->tile_n);
    assay_text_print(text, "  %%%s_m = arith.divui %%%s, %s : i32\n", e, e, columns);
    assay_text_print(text, "  %%%s_n = arith.remui %%%s, %s : i32\n", e, e, columns);
    for (int s = 0; s < tile->splits; s++) {
      const char *at =
          assay_matmul_at(w, assay_matmul_constant(w, s), assay_arena_format(w->arena, "%%%s_m", e),
                          assay_arena_format(w->arena, "%%%s_n", e));
      assay_text_print(text, "  %%%s_part%d = memref.load %%Rs%s : %s\n", e, s, at, type);
      if (s > 0)
        assay_text_print(text, "  %%%s_sum%d = arith.addf %%%s_%s%d, %%%s_part%d : %s\n", e, s, e,
                         s == 1 ? "part" : "sum", s - 1, e, s, w->element);
    }
    assay_text_print(text, "  %%%s_row = arith.addi %%m0, %%%s_m overflow<nsw, nuw> : i32\n", e, e);
    assay_text_print(text, "  %%%s_column = arith.addi %%n0, %%%s_n overflow<nsw, nuw> : i32\n", e,
                     e);
    bool row_guarded = assay_matmul_open_guard(w, assay_arena_format(w->arena, "%%%s_row", e),
                                               product->m, w->tile_m);
    bool guarded = assay_matmul_open_guard(w, assay_arena_format(w->arena, "%%%s_column", e),
                                           product->n, w->tile_n);
    assay_matmul_write_store(w, 1, assay_arena_format(w->arena, "%%%s_sum%d", e, tile->splits - 1),
                             assay_arena_format(w->arena, "%%%s_row", e),
                             assay_arena_format(w->arena, "%%%s_column", e));
    assay_matmul_close_guard(w, guarded);
    assay_matmul_close_guard(w, row_guarded);
  }
  return shape;
}

static void write_sum(assay_matmul_writer *w, int sum, const char *row, int g, int width) {
  for (int e = 0; e < w->vector; e += width) {
    const char *value = assay_arena_format(w->arena, "%%total#%d", sum);
    const char *column = assay_arena_format(w->arena, "%%n%d_%d", g, e);
    bool guarded = assay_matmul_open_guard(w, column, w->product->n, w->tile_n);
    if (width == 1) {
      const char *element = assay_matmul_fresh(w);
      assay_text_print(&w->body, "  %s = vector.extract %s[%d] : %s from %s\n", element, value, e,
                       w->element, vector_type(w));
      value = element;
    }
    assay_matmul_write_store(w, width, value, row, column);
    assay_matmul_close_guard(w, guarded);
  }
}

static void write_results(assay_matmul_writer *w) {
  const assay_matmul_product *product = w->product;
  int width = assay_matmul_width(product, &product->c, product->n, w->vector);
  int groups = w->tile->columns / w->vector;
  for (int g = 0; g < groups; g++) {
    assay_text_print(&w->body, "  %%column%d = arith.addi %%n0, %%tn%d overflow<nsw, nuw> : i32\n",
                     g, g);
    for (int e = 0; e < w->vector; e += width)
      assay_text_print(&w->body,
                       "  %%n%d_%d = arith.addi %%column%d, %s overflow<nsw, nuw> : i32\n", g, e, g,
                       assay_matmul_constant(w, e));
  }
  for (int i = 0; i < w->tile->rows; i++) {
    assay_text_print(&w->body, "  %%m_%d = arith.addi %%tm%d, %s overflow<nsw, nuw> : i32\n", i,
                     i / w->vector, assay_matmul_constant(w, i % w->vector));
    assay_text_print(&w->body, "  %%row_%d = arith.addi %%m0, %%m_%d overflow<nsw, nuw> : i32\n", i,
                     i);
    const char *row = assay_arena_format(w->arena, "%%row_%d", i);
    bool guarded = assay_matmul_open_guard(w, row, product->m, w->tile_m);
    for (int g = 0; g < groups; g++)
      write_sum(w, i * groups + g, row, g, width);
    assay_matmul_close_guard(w, guarded);
  }
}

const char *assay_matmul_text(assay_arena *arena, const char *name,
                              const assay_matmul_product *product, const assay_matmul_tile *tile) {
  assay_matmul_writer writer = assay_matmul_writer_make(arena, product, tile, false);
  assay_matmul_writer *w = &writer;
  assay_matmul_write_places(w);
  assay_text_print(&w->body, "  %%zero_sum = arith.constant dense<0.0> : %s\n", vector_type(w));
  write_thread_places(w);
  assay_matmul_write_loop(w, tile->rows * tile->columns / w->vector, vector_type(w), write_step);
  const char *extra = NULL;
  if (tile->splits > 1)
    extra = write_split_results(w);
  else
    write_results(w);
  return assay_matmul_finish(w, name, extra);
}
