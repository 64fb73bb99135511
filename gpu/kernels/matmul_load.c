// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of A or B on its way from global to shared memory.
#include "gpu/kernels/matmul_writer.h"

#include <assert.h>

static const char *const aligned = "{alignment = 16 : i64}";

const char *assay_matmul_shared_type(const assay_matmul_writer *w, const assay_matmul_load *load) {
  return assay_arena_format(w->arena, "memref<2x%dx%dx%s, #gpu.address_space<workgroup>>",
                            w->tile->k, load->padded, w->element);
}

static const char *value_type(const assay_matmul_writer *w, const assay_matmul_load *load) {
  return load->width == 1 ? w->element
                          : assay_arena_format(w->arena, "vector<%dx%s>", load->width, w->element);
}

// Whether C's edge goes through some tile, and whether K's does. Of an empty K nothing is loaded.
static bool guards_x(const assay_matmul_load *load) {
  return load->extent % load->tile_x != 0;
}

static bool guards_k(const assay_matmul_writer *w) {
  return w->product->k % w->tile->k != 0 || w->product->k == 0;
}

// Elements of a line, along which neighbouring threads load. Along K it is cut at 64 bytes, which
// are whole sectors of memory: more threads of a warp on one line would store to the same banks.
static int line_length(const assay_matmul_writer *w, const assay_matmul_load *load) {
  if (!load->lanes_k)
    return load->tile_x;
  int most = 64 / w->product->bytes;
  return w->tile->k < most ? w->tile->k : most;
}

// Whether several lines make up the tile's K.
static bool is_cut(const assay_matmul_writer *w, const assay_matmul_load *load) {
  return load->lanes_k && line_length(w, load) < w->tile->k;
}

// Where load i of a thread goes in the tile: along x, and along K.
static const char *place_x(const assay_matmul_writer *w, const assay_matmul_load *load, int i) {
  if (!load->lanes_k)
    return assay_arena_format(w->arena, "%%%calong", load->letter);
  return assay_arena_format(w->arena, "%%%c%s%d", load->letter, is_cut(w, load) ? "x" : "line", i);
}

static const char *place_k(const assay_matmul_writer *w, const assay_matmul_load *load, int i) {
  if (!load->lanes_k)
    return assay_arena_format(w->arena, "%%%cline%d", load->letter, i);
  return is_cut(w, load) ? assay_arena_format(w->arena, "%%%ck%d", load->letter, i)
                         : assay_arena_format(w->arena, "%%%calong", load->letter);
}

// The lines of the first stretch of K stand first, one for each x, then those of the next.
static void write_cut(assay_matmul_writer *w, const assay_matmul_load *load, int i) {
  assay_text *text = &w->body;
  char c = load->letter;
  const char *lines = assay_matmul_constant(w, load->tile_x);
  assay_text_print(text, "  %%%cx%d = arith.remui %%%cline%d, %s : i32\n", c, i, c, i, lines);
  assay_text_print(text, "  %%%cstretch%d = arith.divui %%%cline%d, %s : i32\n", c, i, c, i, lines);
  assay_text_print(text, "  %%%cstart%d = arith.muli %%%cstretch%d, %s overflow<nsw, nuw> : i32\n",
                   c, i, c, i, assay_matmul_constant(w, line_length(w, load)));
  assay_text_print(text, "  %%%ck%d = arith.addi %%%cstart%d, %%%calong overflow<nsw, nuw> : i32\n",
                   c, i, c, i, c);
}

int assay_matmul_exchange(int k) {
  return k / 4 % 4 * 8;
}

// Where load i of a thread is stored along x.
static const char *stored_x(const assay_matmul_writer *w, const assay_matmul_load *load, int i) {
  return w->tf32 ? assay_arena_format(w->arena, "%%%cstored%d", load->letter, i)
                 : place_x(w, load, i);
}

// assay_matmul_exchange at run time; a load never goes over a multiple of 4 along K.
static void write_exchange(assay_matmul_writer *w, const assay_matmul_load *load, int i) {
  char c = load->letter;
  const char *four = assay_matmul_constant(w, 4);
  assay_text_print(&w->body, "  %%%cfours%d = arith.divui %s, %s : i32\n", c, i,
                   place_k(w, load, i), four);
  assay_text_print(&w->body, "  %%%cfour%d = arith.remui %%%cfours%d, %s : i32\n", c, i, c, i,
                   four);
  assay_text_print(&w->body, "  %%%ceight%d = arith.muli %%%cfour%d, %s : i32\n", c, i, c, i,
                   assay_matmul_constant(w, 8));
  assay_text_print(&w->body, "  %s = arith.xori %s, %%%ceight%d : i32\n", stored_x(w, load, i),
                   place_x(w, load, i), c, i);
}

// Thread t takes load t, t + threads, ... of the tile, line after line: "%Aline0" is which line,
// "%Aalong" where in it, "%Ag0" is x in the matrix.
void assay_matmul_write_load_places(assay_matmul_writer *w, const assay_matmul_load *load) {
  assay_text *text = &w->body;
  char c = load->letter;
  int lanes = line_length(w, load) / load->width;
  assert(w->threads % lanes == 0);
  const char *lane_count = assay_matmul_constant(w, lanes);
  assay_text_print(text, "  %%%cline = arith.divui %%tid, %s : i32\n", c, lane_count);
  assay_text_print(text, "  %%%cin_line = arith.remui %%tid, %s : i32\n", c, lane_count);
  assay_text_print(text, "  %%%calong = arith.muli %%%cin_line, %s overflow<nsw, nuw> : i32\n", c,
                   c, assay_matmul_constant(w, load->width));
  const char *x0 = c == 'A' ? "%m0" : "%n0";
  for (int i = 0; i < load->count; i++) {
    const char *further = assay_matmul_constant(w, (int64_t)i * (w->threads / lanes));
    assay_text_print(text, "  %%%cline%d = arith.addi %%%cline, %s overflow<nsw, nuw> : i32\n", c,
                     i, c, further);
    if (is_cut(w, load))
      write_cut(w, load, i);
    assay_text_print(text, "  %%%cg%d = arith.addi %s, %s overflow<nsw, nuw> : i32\n", c, i, x0,
                     place_x(w, load, i));
    if (guards_x(load))
      assay_text_print(text, "  %%%cin_x%d = arith.cmpi ult, %%%cg%d, %s : i32\n", c, i, c, i,
                       assay_matmul_constant(w, load->extent));
    if (w->tf32)
      write_exchange(w, load, i);
  }
}

// What makes load i allowed, or NULL where nothing forbids it.
static const char *write_guard(assay_matmul_writer *w, const assay_matmul_load *load,
                               const char *prefix, int i) {
  char c = load->letter;
  const char *in_x = assay_arena_format(w->arena, "%%%cin_x%d", c, i);
  if (!guards_k(w))
    return guards_x(load) ? in_x : NULL;
  const char *in_k = assay_arena_format(w->arena, "%%%s%cin_k%d", prefix, c, i);
  assay_text_print(&w->body, "  %s = arith.cmpi ult, %%%s%ck%d, %s : i32\n", in_k, prefix, c, i,
                   assay_matmul_constant(w, w->product->k));
  if (!guards_x(load))
    return in_k;
  const char *both = assay_arena_format(w->arena, "%%%s%cin%d", prefix, c, i);
  assay_text_print(&w->body, "  %s = arith.andi %s, %s : i1\n", both, in_x, in_k);
  return both;
}

void assay_matmul_write_loads(assay_matmul_writer *w, const assay_matmul_load *load,
                              const char *prefix, const char *k) {
  assay_text *text = &w->body;
  char c = load->letter;
  const char *type = value_type(w, load);
  for (int i = 0; i < load->count; i++) {
    assay_text_print(text, "  %%%s%ck%d = arith.addi %s, %s overflow<nsw, nuw> : i32\n", prefix, c,
                     i, k, place_k(w, load, i));
    const char *x_index = assay_arena_format(w->arena, "%%%cg%d", c, i);
    const char *k_index = assay_arena_format(w->arena, "%%%s%ck%d", prefix, c, i);
    const char *at =
        assay_matmul_at(w, w->product->batched ? "%batch" : NULL, load->k_last ? x_index : k_index,
                        load->k_last ? k_index : x_index);
    const char *access = assay_arena_format(
        w->arena, "%%%c%s%s : %s%s%s", c, at, load->width == 1 ? "" : aligned, load->view->type,
        load->width == 1 ? "" : ", ", load->width == 1 ? "" : type);
    const char *operation = load->width == 1 ? "memref.load" : "vector.load";
    const char *guard = write_guard(w, load, prefix, i);
    const char *name = assay_arena_format(w->arena, "%%%s%c%d", prefix, c, i);
    if (guard == NULL) {
      assay_text_print(text, "  %s = %s %s\n", name, operation, access);
      continue;
    }
    assay_text_print(text, "  %s = scf.if %s -> (%s) {\n", name, guard, type);
    assay_text_print(text, "    %%in = %s %s\n    scf.yield %%in : %s\n", operation, access, type);
    assay_text_print(text, "  } else {\n    scf.yield %s : %s\n  }\n",
                     load->width == 1 ? "%zero" : "%zeros", type);
  }
}

// One element of a load, rounded where that is asked for; its name.
static const char *write_element(assay_matmul_writer *w, const assay_matmul_load *load,
                                 const char *loaded, int j) {
  assay_text *text = &w->body;
  const char *name = load->width == 1 ? loaded : assay_arena_format(w->arena, "%s_%d", loaded, j);
  if (load->width != 1)
    assay_text_print(text, "  %s = vector.extract %s[%d] : %s from %s\n", name, loaded, j,
                     w->element, value_type(w, load));
  if (!w->tf32)
    return name;
  assay_text_print(text, "  %s_bits = nvvm.convert.float.to.tf32 %s {rnd = #nvvm.fp_rnd_mode<rna>}",
                   name, name);
  assay_text_print(text, "\n  %s_tf32 = arith.bitcast %s_bits : i32 to f32\n", name, name);
  return assay_arena_format(w->arena, "%s_tf32", name);
}

static void write_elements(assay_matmul_writer *w, const assay_matmul_load *load,
                           const char *loaded, const char *buffer, int i) {
  for (int j = 0; j < load->width; j++) {
    const char *element = write_element(w, load, loaded, j);
    assay_text_print(&w->body, "  %s_k%d = arith.addi %s, %s overflow<nsw, nuw> : i32\n", loaded, j,
                     place_k(w, load, i), assay_matmul_constant(w, j));
    const char *k = assay_arena_format(w->arena, "%s_k%d", loaded, j);
    const char *at = assay_matmul_at(w, buffer, k, stored_x(w, load, i));
    assay_text_print(&w->body, "  memref.store %s, %%%cs%s : %s\n", element, load->letter, at,
                     assay_matmul_shared_type(w, load));
  }
}

static void write_vector(assay_matmul_writer *w, const assay_matmul_load *load, const char *loaded,
                         const char *buffer, int i) {
  const char *value = loaded;
  if (w->tf32) {
    assay_text list = {.arena = w->arena};
    for (int j = 0; j < load->width; j++)
      assay_text_print(&list, "%s%s", j == 0 ? "" : ", ", write_element(w, load, loaded, j));
    value = assay_arena_format(w->arena, "%s_rounded", loaded);
    assay_text_print(&w->body, "  %s = vector.from_elements %s : %s\n", value,
                     assay_text_get(&list), value_type(w, load));
  }
  const char *at = assay_matmul_at(w, buffer, place_k(w, load, i), stored_x(w, load, i));
  assay_text_print(&w->body, "  vector.store %s, %%%cs%s %s : %s, %s\n", value, load->letter, at,
                   aligned, assay_matmul_shared_type(w, load), value_type(w, load));
}

void assay_matmul_write_shared(assay_matmul_writer *w, const assay_matmul_load *load,
                               const char *prefix, const char *buffer) {
  for (int i = 0; i < load->count; i++) {
    const char *loaded = assay_arena_format(w->arena, "%%%s%c%d", prefix, load->letter, i);
    if (load->lanes_k || load->width == 1)
      write_elements(w, load, loaded, buffer, i);
    else
      write_vector(w, load, loaded, buffer, i);
  }
}

// K of the tile after this one. Where every tile is whole no load is guarded: the last step loads
// its own tile once more, and nobody reads that.
static const char *write_next(assay_matmul_writer *w) {
  assay_matmul_index(w, "next", "addi", "%k0", assay_matmul_constant(w, w->tile->k));
  if (guards_k(w))
    return "%next";
  assay_matmul_index(w, "within", "minui", "%next",
                     assay_matmul_constant(w, w->product->k - w->tile->k));
  return "%within";
}

void assay_matmul_write_loop(assay_matmul_writer *w, int count, const char *sum_type,
                             assay_matmul_step *step) {
  assay_text *text = &w->body;
  assay_matmul_write_load_places(w, &w->a);
  assay_matmul_write_load_places(w, &w->b);
  assay_matmul_write_loads(w, &w->a, "first", "%c0");
  assay_matmul_write_loads(w, &w->b, "first", "%c0");
  assay_matmul_write_shared(w, &w->a, "first", "%c0");
  assay_matmul_write_shared(w, &w->b, "first", "%c0");
  // The first tiles are read by other threads than stored them.
  assay_text_print(text, "  gpu.barrier\n  %%total:%d = scf.for %%k0 = %%c0 to %s step %s\n", count,
                   assay_matmul_constant(w, w->product->k), assay_matmul_constant(w, w->tile->k));
  assay_text_print(text, "      iter_args(");
  assay_text types = {.arena = w->arena}, results = {.arena = w->arena};
  for (int i = 0; i < count; i++) {
    const char *comma = i == 0 ? "" : ", ";
    assay_text_print(text, "%s%%sum%d = %%zero_sum", comma, i);
    assay_text_print(&types, "%s%s", comma, sum_type);
    assay_text_print(&results, "%s%%sum%d_next", comma, i);
  }
  assay_text_print(text, ")\n      -> (%s) : i32 {\n", assay_text_get(&types));
  assay_matmul_index(w, "step", "divui", "%k0", assay_matmul_constant(w, w->tile->k));
  assay_matmul_index(w, "cur", "remui", "%step", assay_matmul_constant(w, 2));
  assay_matmul_index(w, "other", "subi", assay_matmul_constant(w, 1), "%cur");
  const char *next = write_next(w);
  assay_matmul_write_loads(w, &w->a, "next", next);
  assay_matmul_write_loads(w, &w->b, "next", next);
  step(w);
  assay_matmul_write_shared(w, &w->a, "next", "%other");
  assay_matmul_write_shared(w, &w->b, "next", "%other");
  // One barrier a step: what was stored just now is read after it, and the tiles that the next
  // step stores to were last read before it.
  assay_text_print(text, "  gpu.barrier\n  scf.yield %s : %s\n  }\n", assay_text_get(&results),
                   assay_text_get(&types));
}
