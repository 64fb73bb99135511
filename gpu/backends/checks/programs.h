// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: programs whose kernels are of every kind, none of a size that anything divides.
#ifndef ASSAY_GPU_BACKENDS_CHECKS_PROGRAMS_H
#define ASSAY_GPU_BACKENDS_CHECKS_PROGRAMS_H

#include "compiler/language/graph.h"

static inline assay_value product_of(assay_graph *graph, assay_dtype dtype, int64_t m, int64_t k,
                                     int64_t n) {
  assay_value a = assay_input(graph, "a", dtype, assay_shape_make(2, m, k));
  assay_value b = assay_input(graph, "b", dtype, assay_shape_make(2, k, n));
  return assay_matmul(graph, a, b);
}

static inline assay_value small_matmul(assay_graph *graph) {
  return product_of(graph, ASSAY_F32, 21, 83, 39);
}

static inline assay_value large_matmul(assay_graph *graph) {
  return product_of(graph, ASSAY_F32, 70, 37, 131);
}

static inline assay_value double_matmul(assay_graph *graph) {
  return product_of(graph, ASSAY_F64, 19, 45, 37);
}

// The second operand is stored transposed.
static inline assay_value batch_matmul(assay_graph *graph) {
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(3, 3, 9, 150));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(3, 3, 11, 150));
  return assay_batch_matmul(graph, a, assay_transpose(graph, b, 3, (int[]){0, 2, 1}));
}

static inline assay_value softmax(assay_graph *graph) {
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(2, 5, 150));
  assay_value powers = assay_exp(graph, assay_subtract(graph, x, assay_max(graph, x, -1, true)));
  return assay_divide(graph, powers, assay_sum(graph, powers, -1, true));
}

static inline assay_value layer_norm(assay_graph *graph) {
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(2, 3, 70));
  assay_value gain = assay_input(graph, "gain", ASSAY_F32, assay_shape_make(1, 70));
  assay_value from_mean = assay_subtract(graph, x, assay_mean(graph, x, -1, true));
  assay_value variance = assay_mean(graph, assay_multiply(graph, from_mean, from_mean), -1, true);
  assay_value spread = assay_sqrt(graph, assay_add(graph, variance, assay_weak_float(graph, 1e-5)));
  return assay_multiply(graph, assay_divide(graph, from_mean, spread), gain);
}

// Down the columns, and of whole numbers.
static inline assay_value column_maxima(assay_graph *graph) {
  assay_value x = assay_input(graph, "x", ASSAY_I32, assay_shape_make(3, 3, 45, 7));
  return assay_max(graph, x, 1, false);
}

static inline assay_value sum_of_everything(assay_graph *graph) {
  assay_value x = assay_input(graph, "x", ASSAY_F64, assay_shape_make(1, 1333));
  return assay_sum(graph, x, 0, true);
}

static inline assay_value outer_difference(assay_graph *graph) {
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 53, 1));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(1, 29));
  return assay_subtract(graph, a, b);
}

static inline assay_value transposed(assay_graph *graph) {
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(3, 7, 23, 9));
  return assay_transpose(graph, x, 3, (int[]){2, 0, 1});
}

typedef struct mutated_program {
  const char *name;
  assay_value (*build)(assay_graph *graph);
} mutated_program;

static const mutated_program mutated_programs[] = {
    {"small matmul", small_matmul},
    {"large matmul", large_matmul},
    {"f64 matmul", double_matmul},
    {"batch_matmul", batch_matmul},
    {"softmax", softmax},
    {"layer_norm", layer_norm},
    {"column maxima", column_maxima},
    {"sum of everything", sum_of_everything},
    {"difference", outer_difference},
    {"transposed", transposed},
};

#endif
