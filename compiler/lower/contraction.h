// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions by name, linalg.matmul and linalg.batch_matmul, on tensors or memrefs: what our
// passes know about one, and how they find them.
#ifndef ASSAY_COMPILER_LOWER_CONTRACTION_H
#define ASSAY_COMPILER_LOWER_CONTRACTION_H

#include "compiler/ir/walk.h"
#include <stdbool.h>

// A contraction whose operands are all of one element type and of the full rank: 2, or 3 with the
// batch first. (The dialect also allows broadcast operands and casts inside.)
typedef struct assay_contraction {
  MlirOperation operation;
  MlirValue lhs, rhs, out;
  MlirType element;
  int rank;
  bool lhs_transposed, rhs_transposed; // the operand holds its last two axes exchanged
  bool tf32;                           // operands may be rounded to tf32
} assay_contraction;

// Whether the operation has one of the two names, whatever its operands.
bool assay_contraction_named(MlirOperation operation);
// False where the operation is no contraction as described above.
bool assay_contraction_read(MlirOperation operation, assay_contraction *out_contraction);

// The fill of the very buffer that the operation, further down in the same block, works on, with
// nothing between the two that may touch the buffer; a null operation where there is none.
MlirOperation assay_fill_before(MlirOperation operation, MlirValue buffer);
// The same for a contraction's result, where it is filled with zeros: +0 only, since a sum that
// starts from -0 may end as -0.
MlirOperation assay_contraction_zeros(const assay_contraction *contraction);

#endif
