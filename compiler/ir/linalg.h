// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building linalg operations on static ranked tensors.
#ifndef ASSAY_COMPILER_IR_LINALG_H
#define ASSAY_COMPILER_IR_LINALG_H

#include "compiler/ir/builder.h"

#include <mlir-c/AffineMap.h>

enum { ASSAY_MAX_LINALG_INPUTS = 4 };

// A discardable attribute of linalg.matmul and linalg.batch_matmul of f32: "tf32" where operands
// may be rounded to that. Who does not know it may leave it out, and computes in f32.
#define ASSAY_PRECISION_ATTRIBUTE "assay.precision"

// A named linalg operation ("linalg.matmul") of inputs into init, whose type is the result's.
MlirValue assay_linalg_named(const assay_builder *builder, const char *name, int input_count,
                             const MlirValue inputs[], MlirValue init);

// linalg.transpose into a tensor of the type: its axis i is axis permutation[i] of the input.
MlirValue assay_linalg_transpose(const assay_builder *builder, MlirValue input, MlirType type,
                                 const int64_t permutation[]);

// A tensor of the type that holds the number everywhere: linalg.fill into tensor.empty.
MlirValue assay_linalg_full(const assay_builder *builder, MlirType type, MlirAttribute number);
// The same with the zero of its element type (integer or float).
MlirValue assay_linalg_zeros(const assay_builder *builder, MlirType type);

// What a loop body computes: the value to be yielded from the elements of the inputs and, after
// them, the one that the result holds so far. Operations go to the end of the body.
typedef MlirValue assay_loop_body(const assay_builder *body, const MlirValue elements[],
                                  const void *data);

// A linalg.generic of one result. Its loops' indices are the dimensions of the maps.
typedef struct assay_loops {
  int input_count; // at most ASSAY_MAX_LINALG_INPUTS
  const MlirValue *inputs;
  const MlirAffineMap *maps; // which element of each input and, after them, of the result
  int reduction;             // the loop that is one; -1: all are parallel
  MlirValue init;            // what the result holds before, of its type
  assay_loop_body *body;
  const void *data; // for the body
} assay_loops;

MlirValue assay_linalg_loops(const assay_builder *builder, const assay_loops *loops);

#endif
