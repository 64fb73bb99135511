// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ops share that give an operation of two operands shapes it must reject.
#ifndef ASSAY_SUITE_PAIR_H
#define ASSAY_SUITE_PAIR_H

#include "suite/op.h"

// x and y, the operands' shapes.
extern const assay_key assay_pair_keys[];

typedef struct assay_pair {
  assay_value x, y;
} assay_pair;

// The two arguments of those shapes, f32.
assay_pair assay_pair_inputs(const assay_params *params, assay_graph *graph);

#endif
