// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building linalg operations on static ranked tensors.
#ifndef ASSAY_COMPILER_IR_LINALG_H
#define ASSAY_COMPILER_IR_LINALG_H

#include "compiler/ir/builder.h"

#include <mlir-c/AffineMap.h>

enum { ASSAY_MAX_LINALG_INPUTS = 4 };

// A named linalg operation ("linalg.matmul") of inputs into init, whose type is the result's.
MlirValue assay_linalg_named(const assay_builder *builder, const char *name, int input_count,
                             const MlirValue inputs[], MlirValue init);

// linalg.transpose into a tensor of the type: its axis i is axis permutation[i] of the input.
MlirValue assay_linalg_transpose(const assay_builder *builder, MlirValue input, MlirType type,
                                 const int64_t permutation[]);

// A tensor of zeros of its element type (integer or float): linalg.fill into tensor.empty.
MlirValue assay_linalg_zeros(const assay_builder *builder, MlirType type);

// A tensor of the type, each element computed from one element of each input, in a linalg.generic
// with parallel loops only. maps[i] says which element of input i: the loops' indices are those of
// the result.
typedef struct assay_elementwise {
  int input_count; // at most ASSAY_MAX_LINALG_INPUTS
  const MlirValue *inputs;
  const MlirAffineMap *maps; // of as many dimensions as the type has
  MlirType type;
  const char *operation; // on the elements, with one result: "arith.addf"
} assay_elementwise;

MlirValue assay_linalg_elementwise(const assay_builder *builder,
                                   const assay_elementwise *elementwise);

#endif
