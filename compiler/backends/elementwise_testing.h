// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For unit tests only: the values of every elementwise operation and reduction, in all dtypes,
// against libm: with the numbers at which formulas break, broadcast both ways, and with scalars.
// Includes cmocka.
#ifndef ASSAY_COMPILER_BACKENDS_ELEMENTWISE_TESTING_H
#define ASSAY_COMPILER_BACKENDS_ELEMENTWISE_TESTING_H

#include "compiler/backends/backends_testing.h"

#include <float.h>

static const double reals[] = {0.0,
                               -0.0,
                               1,
                               -1,
                               0.5,
                               -0.25,
                               2.5,
                               -3.75,
                               7,
                               -8.125,
                               13,
                               -17,
                               88,
                               -88,
                               88.7,
                               -103.5,
                               -104,
                               709.5,
                               -745.2,
                               -708.5,
                               1e-3,
                               -1e-4,
                               6e-8,
                               1e-38,
                               -1e-45,
                               3e-310,
                               5e-324,
                               65504,
                               -65519,
                               FLT_MAX,
                               DBL_MAX,
                               1e10,
                               INFINITY,
                               -INFINITY,
                               NAN,
                               0.1,
                               1 + 0x1p-11 + 0x1p-40,
                               -0.7,
                               20,
                               -20,
                               9.02,
                               0.34657};
static const int64_t integers[] = {0,         1,     -1,     2,  -2,        3,         -7,
                                   10,        31,    62,     63, INT32_MAX, INT32_MIN, INT64_MAX,
                                   INT64_MIN, 12345, -65536, 4,  5};

enum { REALS = sizeof reals / sizeof *reals, INTEGERS = sizeof integers / sizeof *integers };

static inline assay_scalar special(assay_dtype dtype, int number, int64_t i) {
  (void)number;
  if (assay_dtype_get(dtype)->floating)
    return plain_real(reals[i % REALS], dtype);
  return plain_integer((uint64_t)(dtype == ASSAY_BOOL ? i % 2 : integers[i % INTEGERS]), dtype);
}

// Numbers that every dtype can hold, or can be cut to.
static inline assay_scalar modest(assay_dtype dtype, int number, int64_t i) {
  double value = (double)((i * 7 + number) % 23 - 11) * 0.75;
  return plain_real(value, dtype);
}

// libm itself is off by less than one; so are our own formulas but for tanh, which has a division
// more.
static inline double of_functions(const assay_node *node) {
  const char *const one[] = {"exp", "log", "erf", "power"};
  for (size_t i = 0; i < sizeof one / sizeof *one; i++)
    if (plain_is(node, one[i]))
      return 1.5;
  return plain_is(node, "tanh") ? 2.5 : 0;
}

typedef assay_value unary(assay_graph *graph, assay_value x);
typedef assay_value binary(assay_graph *graph, assay_value a, assay_value b);

static unary *const unaries[] = {assay_negative, assay_absolute, assay_exp,   assay_log,
                                 assay_tanh,     assay_sqrt,     assay_rsqrt, assay_erf};
static binary *const binaries[] = {
    assay_add,           assay_subtract,  assay_multiply, assay_divide,     assay_power,
    assay_equal,         assay_not_equal, assay_less,     assay_less_equal, assay_greater,
    assay_greater_equal, assay_minimum,   assay_maximum};

enum {
  UNARIES = sizeof unaries / sizeof *unaries,
  BINARIES = sizeof binaries / sizeof *binaries,
};

static inline void functions_of_all_dtypes(void **state) {
  for (int dtype = 0; dtype < ASSAY_DTYPE_COUNT; dtype++) {
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    assay_value x = assay_input(graph, "x", (assay_dtype)dtype, assay_shape_make(2, 2, REALS));
    assay_value results[UNARIES];
    int count = 0;
    for (int i = 0; i < UNARIES; i++)
      if (dtype != ASSAY_BOOL || unaries[i] != assay_negative)
        results[count++] = unaries[i](graph, x);
    check_graph(*state, graph, count, results, special, of_functions);
    assay_arena_destroy(arena);
  }
}

// Argument 0 runs over where exp is not 0 or infinite in f32, argument 1 over all of f64's,
// argument 2 over where tanh is not 1.
static inline assay_scalar ranges(assay_dtype dtype, int number, int64_t i) {
  static const double ends[][2] = {{-104, 89.5}, {-746, 710.5}, {-21, 21}};
  double part = (double)((i * 7919) % 8191) / 8190;
  return plain_real(ends[number][0] + part * (ends[number][1] - ends[number][0]), dtype);
}

static inline void functions_over_their_ranges(void **state) {
  for (int dtype = ASSAY_F64; dtype <= ASSAY_F16; dtype++) {
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    assay_value x[3], results[9];
    for (int i = 0; i < 3; i++) {
      x[i] = assay_input(graph, "x", (assay_dtype)dtype, assay_shape_make(1, 8191));
      results[3 * i] = assay_exp(graph, x[i]);
      results[3 * i + 1] = assay_tanh(graph, x[i]);
      results[3 * i + 2] = assay_erf(graph, x[i]);
    }
    check_graph(*state, graph, 9, results, ranges, of_functions);
    assay_arena_destroy(arena);
  }
}

static inline bool is_refused(binary *operation, int a, int b) {
  return a == ASSAY_BOOL && b == ASSAY_BOOL &&
         (operation == assay_subtract || operation == assay_power);
}

// Every number with every number: one operand is a column, the other a row or a batch of rows. Each
// pair of dtypes stands in one of its two orders: both meet in casts before the operation.
static inline void operations_of_all_pairs(void **state) {
  for (int pair = 0; pair < ASSAY_DTYPE_COUNT * ASSAY_DTYPE_COUNT; pair++) {
    int of_a = pair / ASSAY_DTYPE_COUNT, of_b = pair % ASSAY_DTYPE_COUNT;
    if (of_a != of_b && (of_a < of_b) == ((of_a + of_b) % 2 == 0))
      continue;
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    assay_shape column = assay_shape_make(2, REALS, 1), row = assay_shape_make(3, 1, 1, REALS);
    assay_value a = assay_input(graph, "a", (assay_dtype)of_a, pair % 2 == 0 ? column : row);
    assay_value b = assay_input(graph, "b", (assay_dtype)of_b, pair % 2 == 0 ? row : column);
    assay_value results[BINARIES + 1];
    int count = 0;
    for (int i = 0; i < BINARIES; i++)
      if (!is_refused(binaries[i], of_a, of_b))
        results[count++] = binaries[i](graph, a, b);
    results[count++] = assay_where(graph, assay_less(graph, a, b), a, b);
    check_graph(*state, graph, count, results, special, of_functions);
    assay_arena_destroy(arena);
  }
}

static inline assay_value scalar(assay_graph *graph, int kind) {
  switch (kind) {
  case 0:
    return assay_weak_bool(graph, true);
  case 1:
    return assay_weak_int(graph, 3);
  case 2:
    return assay_weak_float(graph, 0.3);
  case 3:
    return assay_strong_float(graph, ASSAY_F16, 2);
  case 4:
    return assay_strong_int(graph, ASSAY_I32, 2);
  default:
    return assay_strong_float(graph, ASSAY_F64, -1.1);
  }
}

static inline void scalars_on_either_side(void **state) {
  for (int pair = 0; pair < ASSAY_DTYPE_COUNT * 6; pair++) {
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    int dtype = pair / 6, kind = pair % 6;
    assay_value x = assay_input(graph, "x", (assay_dtype)dtype, assay_shape_make(1, REALS));
    assay_value constant = scalar(graph, kind), results[BINARIES];
    int count = 0;
    for (int i = 0; i < BINARIES; i++) {
      if (is_refused(binaries[i], dtype, assay_value_dtype(graph, constant)))
        continue;
      bool first = (i + pair) % 2 == 0;
      results[count++] = binaries[i](graph, first ? constant : x, first ? x : constant);
    }
    check_graph(*state, graph, count, results, special, of_functions);
    assay_arena_destroy(arena);
  }
}

static inline void casts_of_all_pairs(void **state) {
  for (int from = 0; from < ASSAY_DTYPE_COUNT; from++) {
    assay_arena *arena = assay_arena_create();
    assay_graph *graph = assay_graph_create(arena);
    assay_value x = assay_input(graph, "x", (assay_dtype)from, assay_shape_make(2, 3, 23));
    assay_value results[ASSAY_DTYPE_COUNT];
    for (int to = 0; to < ASSAY_DTYPE_COUNT; to++)
      results[to] = assay_cast(graph, x, (assay_dtype)to);
    check_graph(*state, graph, ASSAY_DTYPE_COUNT, results, modest, nothing);
    // Among floats, and to bool, all numbers have their values.
    graph = assay_graph_create(arena);
    x = assay_input(graph, "x", (assay_dtype)from, assay_shape_make(1, REALS));
    const assay_value safe[] = {assay_cast(graph, x, ASSAY_F64), assay_cast(graph, x, ASSAY_F32),
                                assay_cast(graph, x, ASSAY_F16), assay_cast(graph, x, ASSAY_BOOL)};
    check_graph(*state, graph, 4, safe, special, nothing);
    assay_arena_destroy(arena);
  }
}

// Lanes that are finite, hold an infinity, both of them, or NaN.
static inline assay_scalar lanes(assay_dtype dtype, int number, int64_t i) {
  (void)number;
  if (assay_dtype_get(dtype)->floating && i == 8)
    return plain_real(INFINITY, dtype);
  if (assay_dtype_get(dtype)->floating && (i == 16 || i == 77))
    return plain_real(i == 16 ? NAN : -INFINITY, dtype);
  int64_t value = i % 19 - 9;
  return plain_integer((uint64_t)value, dtype).integer != 0 || value == 0
             ? assay_scalar_cast(&(assay_scalar){.integer = value}, ASSAY_I64, dtype)
             : plain_real((double)value, dtype);
}

static inline void reductions_of_every_axis(void **state) {
  for (int dtype = 0; dtype < ASSAY_DTYPE_COUNT; dtype++) {
    for (int axis = -3; axis < 3; axis++) {
      assay_arena *arena = assay_arena_create();
      assay_graph *graph = assay_graph_create(arena);
      assay_value x = assay_input(graph, "x", (assay_dtype)dtype, assay_shape_make(3, 4, 5, 7));
      assay_value one = assay_input(graph, "one", (assay_dtype)dtype, assay_shape_make(1, 1));
      bool keepdims = axis % 2 == 0;
      const assay_value results[] = {
          assay_sum(graph, x, axis, keepdims), assay_mean(graph, x, axis, keepdims),
          assay_max(graph, x, axis, keepdims), assay_sum(graph, one, 0, false),
          assay_max(graph, one, -1, true)};
      check_graph(*state, graph, 5, results, lanes, nothing);
      assay_arena_destroy(arena);
    }
  }
}

static inline void masks_and_constants_as_results(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  const assay_value results[] = {
      assay_causal_mask(graph, 1, ASSAY_F32),
      assay_causal_mask(graph, 19, ASSAY_F64),
      assay_causal_mask(graph, 5, ASSAY_F16),
      assay_weak_int(graph, -4),
      assay_weak_bool(graph, true),
      assay_strong_float(graph, ASSAY_F16, 1.0 / 3),
      assay_reshape(graph, assay_weak_float(graph, 0.1), assay_shape_make(2, 1, 1)),
      assay_add(graph, assay_weak_int(graph, 2), assay_weak_float(graph, 0.5)),
  };
  check_graph(*state, graph, 8, results, modest, nothing);
  assay_arena_destroy(arena);
}

// The tests of this file, for the array that cmocka is given.
#define ELEMENTWISE_TESTS                                                                          \
  cmocka_unit_test(functions_of_all_dtypes), cmocka_unit_test(functions_over_their_ranges),        \
      cmocka_unit_test(operations_of_all_pairs), cmocka_unit_test(scalars_on_either_side),         \
      cmocka_unit_test(casts_of_all_pairs), cmocka_unit_test(reductions_of_every_axis),            \
      cmocka_unit_test(masks_and_constants_as_results)

#endif
