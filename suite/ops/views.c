// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

#include <string.h>

// Every chain of one, two and three steps.
#define CHAINS                                                                                     \
  "slice|transpose|reshape|slice_slice|slice_transpose|slice_reshape|"                             \
  "transpose_slice|transpose_transpose|transpose_reshape|reshape_slice|"                           \
  "reshape_transpose|reshape_reshape|slice_slice_slice|slice_slice_transpose|"                     \
  "slice_slice_reshape|slice_transpose_slice|slice_transpose_transpose|"                           \
  "slice_transpose_reshape|slice_reshape_slice|slice_reshape_transpose|"                           \
  "slice_reshape_reshape|transpose_slice_slice|transpose_slice_transpose|"                         \
  "transpose_slice_reshape|transpose_transpose_slice|transpose_transpose_transpose|"               \
  "transpose_transpose_reshape|transpose_reshape_slice|transpose_reshape_transpose|"               \
  "transpose_reshape_reshape|reshape_slice_slice|reshape_slice_transpose|"                         \
  "reshape_slice_reshape|reshape_transpose_slice|reshape_transpose_transpose|"                     \
  "reshape_transpose_reshape|reshape_reshape_slice|reshape_reshape_transpose|"                     \
  "reshape_reshape_reshape"

static const assay_key keys[] = {
    {"chain", ASSAY_KEY_CHOICE, .choices = CHAINS, .help = "steps, the first one first"},
    {"shape", ASSAY_KEY_DIMS, .help = "of x"},
    {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},
    {.name = NULL},
};

// Without the first index of each axis and the last of the last, where others are left.
static assay_value slice(assay_graph *graph, assay_value x) {
  assay_shape shape = assay_value_shape(graph, x);
  assay_range ranges[ASSAY_MAX_RANK];
  for (int i = 0; i < shape.rank; i++) {
    int64_t size = shape.dim[i], start = size > 1 ? 1 : 0;
    bool cut = i + 1 == shape.rank && size > 2;
    ranges[i] = (assay_range){start, cut ? size - 1 : size, 1};
  }
  return assay_slice(graph, x, shape.rank, ranges);
}

// The first axis becomes the last.
static assay_value transpose(assay_graph *graph, assay_value x) {
  int rank = assay_value_shape(graph, x).rank, permutation[ASSAY_MAX_RANK];
  for (int i = 0; i < rank; i++)
    permutation[i] = (i + 1) % rank;
  return assay_transpose(graph, x, rank, permutation);
}

static int64_t smallest_prime_factor(int64_t number) {
  for (int64_t factor = 2; factor * factor <= number; factor++)
    if (number % factor == 0)
      return factor;
  return number;
}

// The first two axes become one; a single axis is split by its smallest prime factor.
static assay_value reshape(assay_graph *graph, assay_value x) {
  assay_shape from = assay_value_shape(graph, x), to = {.rank = from.rank - 1};
  if (from.rank == 0)
    return x; // after a violation
  if (from.rank == 1) {
    int64_t factor = smallest_prime_factor(from.dim[0]);
    return assay_reshape(graph, x, assay_shape_make(2, factor, from.dim[0] / factor));
  }
  to.dim[0] = from.dim[0] * from.dim[1];
  for (int i = 1; i < to.rank; i++)
    to.dim[i] = from.dim[i + 1];
  return assay_reshape(graph, x, to);
}

static int build(const assay_params *params, assay_graph *graph, assay_value results[]) {
  assay_value x = assay_input(graph, "x", assay_params_dtype(params, "dtype"),
                              assay_params_dims(params, "shape"));
  for (const char *step = assay_params_choice(params, "chain"); *step != '\0';) {
    size_t length = strcspn(step, "_");
    x = *step == 's' ? slice(graph, x) : *step == 't' ? transpose(graph, x) : reshape(graph, x);
    step += step[length] == '_' ? length + 1 : length;
  }
  results[0] = x;
  return 1;
}

// For the generated table.
extern const assay_suite_op assay_suite_op_views;
const assay_suite_op assay_suite_op_views = {
    .name = "views",
    .formula = "x.slice().transpose().reshape(), ...",
    .keys = keys,
    .build = build,
};
