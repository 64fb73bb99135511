// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ops share that apply an operation to two operands, or give it two that it must reject.
#ifndef ASSAY_SUITE_PAIR_H
#define ASSAY_SUITE_PAIR_H

#include "suite/op.h"

typedef struct assay_pair {
  assay_value x, y;
} assay_pair;

// x and y, the operands' shapes.
extern const assay_key assay_pair_keys[];
// The two arguments of those shapes, f32.
assay_pair assay_pair_inputs(const assay_params *params, assay_graph *graph);

// The keys of operands of several dtypes, in an array of keys.
// clang-format off
#define ASSAY_MIXED_KEYS                                                                           \
  {"x", ASSAY_KEY_DIMS, .help = "shape of x"},                                                     \
  {"y", ASSAY_KEY_DIMS, .help = "shape of y"},                                                     \
  {"dtype", ASSAY_KEY_DTYPE, .preset = "f32", .help = "of x"},                                     \
  {"y_dtype", ASSAY_KEY_DTYPE, .preset = "=dtype", .help = "of y"}
// clang-format on

// The two arguments of those shapes and dtypes.
assay_pair assay_mixed_inputs(const assay_params *params, assay_graph *graph);

// The program f(x, y) of such operands, f the function that the key f names.
int assay_mixed_build(const assay_params *params, assay_graph *graph, assay_value results[]);

#endif
