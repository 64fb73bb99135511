// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: the mistakes that change nothing, by program, kernel, kind and operation, and why. A
// number tells apart operations of one text only, so that another change of a kernel leaves all
// this as it is.
#ifndef ASSAY_GPU_BACKENDS_CHECKS_EQUIVALENT_H
#define ASSAY_GPU_BACKENDS_CHECKS_EQUIVALENT_H

#include "gpu/backends/checks/mutate.h"

typedef struct equivalent_mutant {
  const char *program, *kernel;
  mutation kind;
  int nth;          // of the kind at operations of that text, from 0
  const char *text; // of the operation: see plant_describe
  const char *reason;
} equivalent_mutant;

#define PAST_THE_END "of rows of the tile past the end of the matrix, whose products are not stored"
#define KEPT_OUT "of rows past the end, which the guard of rows keeps out"
#define ZEROS "a tile past the end is of zeros"
#define SQUARE "16 by 16 threads, each of which does what another did"
#define SAME_VALUE "all threads of the block (the warp) have the value, and would store the same"
#define SHIFTED "softmax is the same whatever is subtracted"
#define ONE_ELEMENT "there is one element, which each thread would copy"

// Texts of operations. Of tiles there are two in shared memory, one read while the other is filled.
#define FIRST "0"
#define OTHER "index_castui(subi(1, _))"
#define STORE_COLUMN(tile, column)                                                                 \
  "store(if(andi(_, _)), arg3, " tile ", index_castui(remui(_, 16)), index_castui(addi(_, " column \
  ")))"
#define STORE_ROW(argument, tile, width)                                                           \
  "store(if(andi(_, _)), arg" argument ", " tile ", index_castui(addi(_, _)), "                    \
  "index_castui(remui(_, " width ")))"
#define FIRST_LANE "cmpi6(remui(thread_id, 32), 1)"
#define FIRST_THREAD "cmpi6(thread_id, 1)"

static const equivalent_mutant equivalent_mutants[] = {
    {"small matmul", "matmul_0", MUTATE_OFFSET, 0, STORE_COLUMN(FIRST, "32"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_OFFSET, 0, STORE_COLUMN(FIRST, "48"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_OFFSET, 0, STORE_COLUMN(OTHER, "32"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_OFFSET, 0, STORE_COLUMN(OTHER, "48"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_STORE, 0, STORE_COLUMN(FIRST, "32"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_STORE, 0, STORE_COLUMN(FIRST, "48"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_STORE, 0, STORE_COLUMN(OTHER, "32"), PAST_THE_END},
    {"small matmul", "matmul_0", MUTATE_STORE, 0, STORE_COLUMN(OTHER, "48"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 1, STORE_ROW("3", FIRST, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 3, STORE_ROW("3", FIRST, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 1, STORE_ROW("3", OTHER, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_OFFSET, 3, STORE_ROW("3", OTHER, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 1, STORE_ROW("3", FIRST, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 3, STORE_ROW("3", FIRST, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 1, STORE_ROW("3", OTHER, "64"), PAST_THE_END},
    {"f64 matmul", "matmul_0", MUTATE_STORE, 3, STORE_ROW("3", OTHER, "64"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 1, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 3, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 5, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 7, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 1, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 3, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 5, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_OFFSET, 7, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 1, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 3, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 5, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 7, STORE_ROW("4", FIRST, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 1, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 3, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 5, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_STORE, 7, STORE_ROW("4", OTHER, "32"), PAST_THE_END},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 5, "cmpi6(addi(addi(iv, 64), addi(_, _)), 150)",
     KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 7, "cmpi6(addi(addi(iv, 64), addi(_, _)), 150)",
     KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 9, "cmpi6(addi(addi(iv, 64), addi(_, _)), 150)",
     KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD, 11, "cmpi6(addi(addi(iv, 64), addi(_, _)), 150)",
     KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD_LOW, 7, "cmpi6(addi(addi(iv, 64), addi(_, _)), 150)",
     KEPT_OUT},
    {"batch_matmul", "matmul_0", MUTATE_GUARD_UP, 7, "cmpi6(addi(addi(iv, 64), addi(_, _)), 150)",
     KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD, 1, "cmpi6(addi(addi(iv, 16), addi(_, _)), 45)",
     KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD, 3, "cmpi6(addi(addi(iv, 16), addi(_, _)), 45)",
     KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD_LOW, 3, "cmpi6(addi(addi(iv, 16), addi(_, _)), 45)",
     KEPT_OUT},
    {"f64 matmul", "matmul_0", MUTATE_GUARD_UP, 3, "cmpi6(addi(addi(iv, 16), addi(_, _)), 45)",
     KEPT_OUT},
    {"small matmul", "matmul_0", MUTATE_LOOP_UP, 0,
     "for(0, 83, 16, constant, constant, constant, constant)", ZEROS},
    {"large matmul", "matmul_0", MUTATE_LOOP_UP, 0,
     "for(0, 37, 16, constant, constant, constant, constant)", ZEROS},
    {"f64 matmul", "matmul_0", MUTATE_LOOP_UP, 0,
     "for(0, 45, 16, constant, constant, constant, constant, constant, constant, constant, "
     "constant)",
     ZEROS},
    {"batch_matmul", "matmul_0", MUTATE_LOOP_UP, 0,
     "for(0, 150, 64, constant, constant, constant, constant)", ZEROS},
    {"small matmul", "matmul_0", MUTATE_AXES, 0, "divui(index_castui(thread_id), 16)", SQUARE},
    {"large matmul", "matmul_0", MUTATE_AXES, 0, "divui(index_castui(thread_id), 16)", SQUARE},
    {"batch_matmul", "matmul_0", MUTATE_AXES, 0, "divui(index_castui(thread_id), 16)", SQUARE},
    {"softmax", "reduce_0", MUTATE_GUARD, 0, FIRST_LANE, SAME_VALUE},
    {"softmax", "reduce_0", MUTATE_GUARD, 0, FIRST_THREAD, SAME_VALUE},
    {"softmax", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_LANE, SAME_VALUE},
    {"softmax", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_THREAD, SAME_VALUE},
    {"softmax", "reduce_2", MUTATE_GUARD, 0, FIRST_LANE, SAME_VALUE},
    {"softmax", "reduce_2", MUTATE_GUARD, 0, FIRST_THREAD, SAME_VALUE},
    {"softmax", "reduce_2", MUTATE_GUARD_UP, 0, FIRST_LANE, SAME_VALUE},
    {"softmax", "reduce_2", MUTATE_GUARD_UP, 0, FIRST_THREAD, SAME_VALUE},
    {"layer_norm", "reduce_0", MUTATE_GUARD, 0, FIRST_LANE, SAME_VALUE},
    {"layer_norm", "reduce_0", MUTATE_GUARD, 0, FIRST_THREAD, SAME_VALUE},
    {"layer_norm", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_LANE, SAME_VALUE},
    {"layer_norm", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_THREAD, SAME_VALUE},
    {"layer_norm", "reduce_2", MUTATE_GUARD, 0, FIRST_LANE, SAME_VALUE},
    {"layer_norm", "reduce_2", MUTATE_GUARD, 0, FIRST_THREAD, SAME_VALUE},
    {"layer_norm", "reduce_2", MUTATE_GUARD_UP, 0, FIRST_LANE, SAME_VALUE},
    {"layer_norm", "reduce_2", MUTATE_GUARD_UP, 0, FIRST_THREAD, SAME_VALUE},
    {"column maxima", "reduce_0", MUTATE_GUARD, 0, FIRST_LANE, SAME_VALUE},
    {"column maxima", "reduce_0", MUTATE_GUARD, 0, FIRST_THREAD, SAME_VALUE},
    {"column maxima", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_LANE, SAME_VALUE},
    {"column maxima", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_THREAD, SAME_VALUE},
    {"sum of everything", "reduce_0", MUTATE_GUARD, 0, FIRST_LANE, SAME_VALUE},
    {"sum of everything", "reduce_0", MUTATE_GUARD, 0, FIRST_THREAD, SAME_VALUE},
    {"sum of everything", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_LANE, SAME_VALUE},
    {"sum of everything", "reduce_0", MUTATE_GUARD_UP, 0, FIRST_THREAD, SAME_VALUE},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, "load(arg0, block_id, iv)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, "load(arg2, 0)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, "load(arg2, 1)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, "load(arg2, 2)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, "load(arg2, 3)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_LOAD, 0, "load(arg2, 4)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_OFFSET, 0, "load(arg2, 0)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_OFFSET, 0, "load(arg2, 1)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_OFFSET, 0, "load(arg2, 2)", SHIFTED},
    {"softmax", "reduce_0", MUTATE_OFFSET, 0, "load(arg2, 3)", SHIFTED},
    {"softmax", "elementwise_1", MUTATE_LOAD, 0, "load(arg1, index_castui(divui(_, 150)), 0)",
     SHIFTED},
    {"sum of everything", "copy_1", MUTATE_GUARD, 0,
     "cmpi6(addi(muli(block_id, 32), thread_id), 1)", ONE_ELEMENT},
    {"sum of everything", "copy_1", MUTATE_GUARD_UP, 0,
     "cmpi6(addi(muli(block_id, 32), thread_id), 1)", ONE_ELEMENT},
    {"sum of everything", "copy_1", MUTATE_IDS, 0, "block_id", ONE_ELEMENT},
    {"sum of everything", "copy_1", MUTATE_IDS, 0, "thread_id", ONE_ELEMENT},
};

#endif
