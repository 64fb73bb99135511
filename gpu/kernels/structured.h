// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation on memrefs as loops: linalg's structured operations, by name or generic, and
// memref.copy, with all sizes known.
#ifndef ASSAY_GPU_KERNELS_STRUCTURED_H
#define ASSAY_GPU_KERNELS_STRUCTURED_H

#include "compiler/base/arena.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/IR.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct assay_structured {
  MlirOperation operation;
  int rank;               // loops, outermost first
  const int64_t *extents; // of each loop
  const bool *reduces;    // whether a loop carries what is computed on to its next step
  int operand_count;      // memrefs, and scalars among those that are read
  int out_count;          // the last ones, which are written
  const MlirValue *operands;
  const MlirAffineMap *maps; // from the loops to each operand's element
  const MlirValue *starts;   // (optional) of each result: what it holds before, where that is one
                             // number that stands in no buffer; a null value: what the buffer has
  MlirBlock body;            // its arguments are elements; null: a copy of the first operand
} assay_structured;

// False where the operation is none, or one with sizes that are known only as it runs. Arrays go to
// the arena.
bool assay_structured_read(assay_arena *arena, MlirOperation operation,
                           assay_structured *out_structured);

// The product of the extents of the loops that reduce, or of the others.
int64_t assay_structured_steps(const assay_structured *structured, bool reduces);
// Whether no two steps of the parallel loops write the same element of a result.
bool assay_structured_apart(const assay_structured *structured);
// Whether the loops that reduce stay at one element of each result.
bool assay_structured_steady(const assay_structured *structured);
bool assay_structured_any_reduces(const assay_structured *structured);

#endif
