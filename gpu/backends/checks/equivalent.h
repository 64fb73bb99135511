// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: the mistakes that change nothing, by program, kernel, kind and number, and why.
#ifndef ASSAY_GPU_BACKENDS_CHECKS_EQUIVALENT_H
#define ASSAY_GPU_BACKENDS_CHECKS_EQUIVALENT_H

#include "gpu/backends/checks/mutate.h"

typedef struct equivalent_mutant {
  const char *program, *kernel;
  mutation kind;
  int first, last; // of the kind in the kernel, both included
  const char *reason;
} equivalent_mutant;

#define PAST_THE_END "of rows of the tile past the end of the matrix, whose products are not stored"
#define KEPT_OUT "of rows past the end, which the guard of rows keeps out"
#define ZEROS "a tile past the end is of zeros"
#define SQUARE "16 by 16 threads, each of which does what another did"
#define SAME_VALUE "all threads of the block (the warp) have the value, and would store the same"
#define SHIFTED "softmax is the same whatever is subtracted"
#define ONE_ELEMENT "there is one element, which each thread would copy"

static const equivalent_mutant equivalent_mutants[] = {
    {"small matmul", "matmul_0", MUTATE_OFFSET, 2, 3, PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_OFFSET, 42, 43, PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_STORE, 2, 3, PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_STORE, 10, 11, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 1, 1, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 3, 3, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 73, 73, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 75, 75, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 1, 1, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 3, 3, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 9, 9, PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 11, 11, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 5, 5, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 7, 7, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 9, 9, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 11, 11, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 33, 33, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 35, 35, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 37, 37, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 39, 39, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 5, 5, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 7, 7, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 9, 9, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 11, 11, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 17, 17, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 19, 19, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 21, 21, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 23, 23, PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 29, 29, KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 31, 31, KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 33, 33, KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 35, 35, KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD_LOW, 31, 31, KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD_UP, 31, 31, KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD, 14, 14, KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD, 16, 16, KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD_LOW, 16, 16, KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD_UP, 16, 16, KEPT_OUT},
    {"small matmul", "matmul_0", MUTATE_LOOP_UP, 0, 0, ZEROS},
    {"large matmul", "matmul_0", MUTATE_LOOP_UP, 0, 0, ZEROS},
    {"f64 matmul", "matmul_0", MUTATE_LOOP_UP, 0, 0, ZEROS},
    {"batch_matmul", "matmul_0", MUTATE_LOOP_UP, 0, 0, ZEROS},
    {"small matmul", "matmul_0", MUTATE_AXES, 3, 3, SQUARE},
    {"large matmul", "matmul_0", MUTATE_AXES, 5, 5, SQUARE},
    {"batch_matmul", "matmul_0", MUTATE_AXES, 2, 2, SQUARE},
    {"softmax", "reduce_0", MUTATE_GUARD, 0, 1, SAME_VALUE},
    {"softmax", "reduce_0", MUTATE_GUARD_UP, 0, 1, SAME_VALUE},
    {"softmax", "reduce_2", MUTATE_GUARD, 0, 1, SAME_VALUE},
    {"softmax", "reduce_2", MUTATE_GUARD_UP, 0, 1, SAME_VALUE},
    {"layer_norm", "reduce_0", MUTATE_GUARD, 0, 1, SAME_VALUE},
    {"layer_norm", "reduce_0", MUTATE_GUARD_UP, 0, 1, SAME_VALUE},
    {"layer_norm", "reduce_2", MUTATE_GUARD, 0, 1, SAME_VALUE},
    {"layer_norm", "reduce_2", MUTATE_GUARD_UP, 0, 1, SAME_VALUE},
    {"column maxima", "reduce_0", MUTATE_GUARD, 0, 1, SAME_VALUE},
    {"column maxima", "reduce_0", MUTATE_GUARD_UP, 0, 1, SAME_VALUE},
    {"sum of everything", "reduce_0", MUTATE_GUARD, 0, 1, SAME_VALUE},
    {"sum of everything", "reduce_0", MUTATE_GUARD_UP, 0, 1, SAME_VALUE},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, 5, SHIFTED},
    {"softmax", "reduce_0", MUTATE_OFFSET, 1, 4, SHIFTED},
    {"softmax", "elementwise_1", MUTATE_LOAD, 1, 1, SHIFTED},
    {"sum of everything", "copy_1", MUTATE_GUARD, 0, 0, ONE_ELEMENT},
    {"sum of everything", "copy_1", MUTATE_GUARD_UP, 0, 0, ONE_ELEMENT},
    {"sum of everything", "copy_1", MUTATE_IDS, 0, 1, ONE_ELEMENT},
};

#endif
