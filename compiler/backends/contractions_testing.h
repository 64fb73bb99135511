// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For unit tests only: programs of contractions, views and attention. Inputs are small whole
// numbers, so that all dtypes and orders of summation give the same values, and results start as
// poison. Includes cmocka.
#ifndef ASSAY_COMPILER_BACKENDS_CONTRACTIONS_TESTING_H
#define ASSAY_COMPILER_BACKENDS_CONTRACTIONS_TESTING_H

#include "compiler/backends/backends_testing.h"

// Small whole numbers; of bool every third is true.
static inline assay_scalar whole(assay_dtype dtype, int number, int64_t i) {
  int64_t value = (i * 7 + number * 5) % 17 - 8;
  return assay_scalar_cast(&(assay_scalar){.integer = dtype == ASSAY_BOOL ? value % 3 == 0 : value},
                           ASSAY_I64, dtype);
}

static inline void check(const fixture *all, assay_graph *graph, int count,
                         const assay_value results[]) {
  check_graph(all, graph, count, results, whole, nothing);
}

static inline void check_matmul(const fixture *all, assay_dtype a_dtype, assay_dtype b_dtype,
                                int64_t m, int64_t k, int64_t n) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", a_dtype, assay_shape_make(2, m, k));
  assay_value b = assay_input(graph, "b", b_dtype, assay_shape_make(2, k, n));
  assay_value c = assay_matmul(graph, a, b);
  check(all, graph, 1, &c);
  assay_arena_destroy(arena);
}

// On both sides of the unrolling by 4 and of vectors of 4, 8 and 16, and each size 1.
static inline void matmuls_of_odd_shapes(void **state) {
  static const int64_t shapes[][3] = {{3, 5, 7},    {1, 5, 7},    {3, 1, 7},   {3, 5, 1},
                                      {1, 1, 1},    {4, 4, 16},   {5, 3, 17},  {6, 7, 33},
                                      {31, 17, 65}, {17, 65, 31}, {2, 127, 3}, {64, 64, 64}};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    check_matmul(*state, ASSAY_F32, ASSAY_F32, shapes[i][0], shapes[i][1], shapes[i][2]);
}

static inline void matmuls_of_all_dtypes(void **state) {
  for (int a = 0; a < ASSAY_DTYPE_COUNT; a++)
    for (int b = 0; b < ASSAY_DTYPE_COUNT; b++)
      check_matmul(*state, (assay_dtype)a, (assay_dtype)b, 7, 9, 18);
}

typedef struct operand_view {
  bool sliced, transposed;
} operand_view;

// A batch x rows x columns operand (or without batch), out of an input of another shape.
static inline assay_value view_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                       assay_shape shape, operand_view view) {
  int rank = shape.rank, last = rank - 1;
  assay_range ranges[ASSAY_MAX_RANK];
  int permutation[ASSAY_MAX_RANK];
  assay_shape stored = shape;
  for (int axis = 0; axis < rank; axis++)
    permutation[axis] = axis;
  if (view.transposed) {
    permutation[last] = last - 1;
    permutation[last - 1] = last;
    stored.dim[last] = shape.dim[last - 1];
    stored.dim[last - 1] = shape.dim[last];
  }
  for (int axis = 0; axis < rank; axis++) {
    ranges[axis] = (assay_range){1 + axis, 1 + axis + stored.dim[axis], 1};
    stored.dim[axis] += view.sliced ? 5 : 0;
  }
  assay_value value = assay_input(graph, name, dtype, stored);
  if (view.sliced)
    value = assay_slice(graph, value, rank, ranges);
  return view.transposed ? assay_transpose(graph, value, rank, permutation) : value;
}

static inline void check_views(const fixture *all, assay_dtype dtype, int rank, int views) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_shape a = assay_shape_make(2, 6, 5), b = assay_shape_make(2, 5, 9);
  if (rank == 3) {
    a = assay_shape_make(3, 3, 6, 5);
    b = assay_shape_make(3, 3, 5, 9);
  }
  assay_value left = view_operand(graph, "a", dtype, a, (operand_view){views & 1, views & 2});
  assay_value right = view_operand(graph, "b", dtype, b, (operand_view){views & 4, views & 8});
  assay_value c =
      rank == 3 ? assay_batch_matmul(graph, left, right) : assay_matmul(graph, left, right);
  check(all, graph, 1, &c);
  assay_arena_destroy(arena);
}

static inline void matmuls_of_all_views(void **state) {
  for (int views = 0; views < 16; views++)
    check_views(*state, ASSAY_F32, 2, views);
}

static inline void batch_matmuls_of_all_views(void **state) {
  for (int views = 0; views < 16; views++)
    check_views(*state, views % 3 == 0 ? ASSAY_I64 : ASSAY_F64, 3, views);
}

// The result's own views, the operand's reshape and a permutation that moves the batch.
static inline void results_that_are_views(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(3, 6, 2, 5));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 2, 35));
  assay_value heads = assay_transpose(graph, a, 3, (int[]){1, 0, 2});
  assay_value folded = assay_reshape(graph, b, assay_shape_make(3, 2, 5, 7));
  assay_value c = assay_batch_matmul(graph, heads, folded);
  const assay_range part[] = {{1, 2, 1}, {1, 6, 1}, {2, 7, 1}};
  const assay_value results[] = {
      c,
      assay_transpose(graph, c, 3, (int[]){0, 2, 1}),
      assay_slice(graph, c, 3, part),
      assay_reshape(graph, c, assay_shape_make(2, 12, 7)),
  };
  check(*state, graph, 4, results);
  assay_arena_destroy(arena);
}

// Reshapes that split and join axes right before and after contractions, which fusion would merge.
static inline void contractions_beside_reshapes(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(3, 2, 3, 5));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 5, 12));
  assay_value bias = assay_input(graph, "bias", ASSAY_F32, assay_shape_make(1, 12));
  assay_value c = assay_matmul(graph, assay_reshape(graph, a, assay_shape_make(2, 6, 5)), b);
  assay_value d = assay_matmul(
      graph,
      assay_add(graph, assay_transpose(graph, b, 2, (int[]){1, 0}), assay_weak_int(graph, 1)), b);
  const assay_value results[] = {
      assay_reshape(graph, c, assay_shape_make(3, 6, 3, 4)),
      assay_reshape(graph, assay_add(graph, d, bias), assay_shape_make(3, 3, 4, 12)),
  };
  check(*state, graph, 2, results);
  assay_arena_destroy(arena);
}

static inline assay_scalar ones(assay_dtype dtype, int number, int64_t i) {
  (void)number;
  (void)i;
  return plain_real(1, dtype);
}

// 3000 ones: f16 counts in ones up to 2048 only.
static inline void f16_is_summed_in_f32(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F16, assay_shape_make(2, 2, 3000));
  assay_value b = assay_transpose(graph, a, 2, (int[]){1, 0});
  const assay_value results[] = {assay_matmul(graph, a, b), assay_sum(graph, a, 1, false),
                                 assay_mean(graph, b, 0, true)};
  check_graph(*state, graph, 3, results, ones, nothing);
  assay_arena_destroy(arena);
}

static inline void results_that_are_inputs(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_I32, assay_shape_make(2, 4, 6));
  const assay_range part[] = {{1, 3, 1}, {2, 5, 1}};
  const assay_value results[] = {a, assay_slice(graph, a, 2, part),
                                 assay_reshape(graph, a, assay_shape_make(1, 24)), a};
  check(*state, graph, 4, results);
  assay_arena_destroy(arena);
}

// One buffer under several names: the same value, and views that a compiler finds to be no change.
static inline void results_that_are_the_same(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 4, 6));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 6, 3));
  assay_value c = assay_matmul(graph, a, b);
  const assay_range whole[] = {{0, 4, 1}, {0, 3, 1}};
  const assay_value results[][3] = {
      {c, c, assay_transpose(graph, c, 2, (int[]){0, 1})},
      {c, assay_reshape(graph, c, assay_shape_make(1, 12)), c},
      {assay_slice(graph, c, 2, whole), c, assay_reshape(graph, c, assay_shape_make(2, 4, 3))},
  };
  for (int i = 0; i < 3; i++)
    check(*state, graph, 3, results[i]);
  assay_arena_destroy(arena);
}

// x @ w + bias, and a second product of the first one's result with itself transposed.
static inline void chains_of_contractions(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_F64, assay_shape_make(2, 5, 3));
  assay_value w = assay_input(graph, "w", ASSAY_F32, assay_shape_make(2, 3, 6));
  assay_value bias = assay_input(graph, "bias", ASSAY_I32, assay_shape_make(1, 6));
  assay_value linear = assay_add(graph, assay_matmul(graph, x, w), bias);
  assay_value other = assay_transpose(graph, linear, 2, (int[]){1, 0});
  const assay_value results[] = {assay_matmul(graph, linear, other), linear};
  check(*state, graph, 2, results);
  assay_arena_destroy(arena);
}

static inline double of_softmax(const assay_node *node) {
  (void)node;
  return 64;
}

// Attention on heads that slices, reshapes and transposes make, scores scaled by a scalar: each of
// its contractions keeps its name (see check_on) whatever stands around it.
static inline void check_attention(const fixture *all, assay_dtype dtype, bool strong) {
  enum { T = 5, HEADS = 2, D = 3 };
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", dtype, assay_shape_make(2, T, 4));
  assay_value w = assay_input(graph, "w", dtype, assay_shape_make(2, 4, 3 * HEADS * D));
  assay_value packed = assay_matmul(graph, x, w), part[3];
  for (int64_t i = 0; i < 3; i++) {
    const assay_range columns[] = {{0, T, 1}, {i * HEADS * D, (i + 1) * HEADS * D, 1}};
    part[i] = assay_reshape(graph, assay_slice(graph, packed, 2, columns),
                            assay_shape_make(3, T, HEADS, D));
    part[i] = assay_transpose(graph, part[i], 3, (int[]){1, 0, 2});
  }
  assay_value keys = assay_transpose(graph, part[1], 3, (int[]){0, 2, 1});
  assay_value depth =
      strong ? assay_strong_float(graph, ASSAY_F64, 1000) : assay_weak_int(graph, 1000);
  assay_value scores = assay_divide(graph, assay_batch_matmul(graph, part[0], keys), depth);
  scores = assay_add(graph, scores, assay_causal_mask(graph, T, assay_value_dtype(graph, scores)));
  assay_value powers =
      assay_exp(graph, assay_subtract(graph, scores, assay_max(graph, scores, -1, true)));
  assay_value weights = assay_divide(graph, powers, assay_sum(graph, powers, -1, true));
  assay_value heads = assay_batch_matmul(graph, weights, part[2]);
  assay_value merged = assay_reshape(graph, assay_transpose(graph, heads, 3, (int[]){1, 0, 2}),
                                     assay_shape_make(2, T, HEADS * D));
  assay_value y = assay_matmul(graph, merged, assay_transpose(graph, merged, 2, (int[]){1, 0}));
  assay_dtype expected = strong ? ASSAY_F64 : dtype;
  assert_int_equal(assay_value_dtype(graph, y), expected);
  const assay_value results[] = {weights, y};
  check_graph(all, graph, 2, results, whole, of_softmax);
  assay_arena_destroy(arena);
}

static inline void attention_of_all_floats(void **state) {
  for (int dtype = ASSAY_F64; dtype <= ASSAY_F16; dtype++)
    for (int strong = 0; strong < 2; strong++)
      check_attention(*state, (assay_dtype)dtype, strong);
}

// The tests of this file, for the array that cmocka is given, but for matmuls_of_all_dtypes.
#define CONTRACTION_TESTS                                                                          \
  cmocka_unit_test(matmuls_of_odd_shapes), cmocka_unit_test(matmuls_of_all_views),                 \
      cmocka_unit_test(batch_matmuls_of_all_views), cmocka_unit_test(results_that_are_views),      \
      cmocka_unit_test(contractions_beside_reshapes), cmocka_unit_test(f16_is_summed_in_f32),      \
      cmocka_unit_test(results_that_are_inputs), cmocka_unit_test(results_that_are_the_same),      \
      cmocka_unit_test(chains_of_contractions), cmocka_unit_test(attention_of_all_floats)

#endif
