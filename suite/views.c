// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/views.h"

#include <assert.h>
#include <string.h>

// What a slice cuts off an argument, on batch, rows and columns: different numbers on each axis and
// on both sides of it, so that an offset or a stride taken from the wrong axis shows.
static const int64_t before[3] = {1, 1, 2}, around[3] = {1, 3, 5};

// 1 for 1, and for the 0 of a shape after a violation.
static int64_t smallest_prime_factor(int64_t number) {
  for (int64_t factor = 2; factor * factor <= number; factor++)
    if (number % factor == 0)
      return factor;
  return number > 1 ? number : 1;
}

static int64_t lesser(int64_t a, int64_t b) {
  return a < b ? a : b;
}

// The shape with its last two axes swapped.
static assay_shape flipped(assay_shape shape) {
  int64_t rows = shape.dim[shape.rank - 2];
  shape.dim[shape.rank - 2] = shape.dim[shape.rank - 1];
  shape.dim[shape.rank - 1] = rows;
  return shape;
}

// The value with its last two axes swapped.
static assay_value transpose(assay_graph *graph, assay_value x) {
  int rank = assay_value_shape(graph, x).rank;
  return rank == 2 ? assay_transpose(graph, x, 2, (int[]){1, 0})
                   : assay_transpose(graph, x, 3, (int[]){0, 2, 1});
}

// From an argument that is larger on each axis, by the numbers for those axes of the operand: the
// last two change places where the operand is its transpose.
static assay_value cut(assay_graph *graph, const char *name, assay_dtype dtype, assay_shape shape,
                       bool transposed) {
  assay_shape argument = shape;
  assay_range ranges[ASSAY_MAX_RANK];
  for (int i = 0; i < shape.rank; i++) {
    int axis = i + 3 - shape.rank; // of batch, rows, columns
    if (transposed && axis > 0)
      axis = 3 - axis;
    argument.dim[i] += around[axis];
    ranges[i] = (assay_range){before[axis], before[axis] + shape.dim[i], 1};
  }
  return assay_slice(graph, assay_input(graph, name, dtype, argument), shape.rank, ranges);
}

static assay_value plain_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                 assay_shape operand) {
  return assay_input(graph, name, dtype, operand);
}

static assay_value sliced_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                  assay_shape operand) {
  return cut(graph, name, dtype, operand, false);
}

static assay_value transposed_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                      assay_shape operand) {
  return transpose(graph, assay_input(graph, name, dtype, flipped(operand)));
}

static assay_value sliced_transposed_operand(assay_graph *graph, const char *name,
                                             assay_dtype dtype, assay_shape operand) {
  return transpose(graph, cut(graph, name, dtype, flipped(operand), true));
}

static assay_value reshaped_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                    assay_shape operand) {
  assay_shape argument;
  if (operand.rank == 2) {
    int64_t p = smallest_prime_factor(operand.dim[0]);
    argument = assay_shape_make(3, p, operand.dim[0] / p, operand.dim[1]);
  } else {
    argument = assay_shape_make(2, operand.dim[0] * operand.dim[1], operand.dim[2]);
  }
  return assay_reshape(graph, assay_input(graph, name, dtype, argument), operand);
}

static assay_value heads_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                 assay_shape operand) {
  assay_shape argument = assay_shape_make(3, operand.dim[1], operand.dim[0], operand.dim[2]);
  return assay_transpose(graph, assay_input(graph, name, dtype, argument), 3, (int[]){1, 0, 2});
}

static assay_value plain_result(assay_graph *graph, assay_value c) {
  (void)graph;
  return c;
}

static assay_value sliced_result(assay_graph *graph, assay_value c) {
  assay_shape shape = assay_value_shape(graph, c);
  assay_range ranges[ASSAY_MAX_RANK];
  for (int i = 0; i < shape.rank; i++)
    ranges[i] =
        (assay_range){lesser(before[i + 3 - shape.rank], shape.dim[i] - 1), shape.dim[i], 1};
  return assay_slice(graph, c, shape.rank, ranges);
}

static assay_value sliced_transposed_result(assay_graph *graph, assay_value c) {
  return transpose(graph, sliced_result(graph, c));
}

static assay_value reshaped_result(assay_graph *graph, assay_value c) {
  assay_shape shape = assay_value_shape(graph, c);
  if (shape.rank == 3)
    return assay_reshape(graph, c, assay_shape_make(2, shape.dim[0] * shape.dim[1], shape.dim[2]));
  int64_t q = smallest_prime_factor(shape.dim[1]);
  return assay_reshape(graph, c, assay_shape_make(3, shape.dim[0], q, shape.dim[1] / q));
}

static assay_value heads_result(assay_graph *graph, assay_value c) {
  return assay_transpose(graph, c, 3, (int[]){1, 0, 2});
}

typedef struct view {
  const char *name;
  assay_value (*operand)(assay_graph *graph, const char *name, assay_dtype dtype,
                         assay_shape operand);
  assay_value (*result)(assay_graph *graph, assay_value c);
} view;

static const view views[] = {
    {"plain", plain_operand, plain_result},
    {"sliced", sliced_operand, sliced_result},
    {"transposed", transposed_operand, transpose},
    {"sliced_transposed", sliced_transposed_operand, sliced_transposed_result},
    {"reshaped", reshaped_operand, reshaped_result},
    {"heads", heads_operand, heads_result},
};

static const view *find(const char *name) {
  size_t i = 0;
  while (i + 1 < sizeof views / sizeof views[0] && strcmp(views[i].name, name) != 0)
    i++;
  assert(strcmp(views[i].name, name) == 0);
  return &views[i];
}

assay_value assay_view_operand(assay_graph *graph, const char *view_name, const char *name,
                               assay_dtype dtype, assay_shape operand) {
  assert(operand.rank == 2 || operand.rank == 3);
  return find(view_name)->operand(graph, name, dtype, operand);
}

assay_value assay_view_result(assay_graph *graph, const char *view_name, assay_value contraction) {
  return find(view_name)->result(graph, contraction);
}
