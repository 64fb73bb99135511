// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number rounded at random, as operations of the llvm dialect: the formulas of METHOD.md.
#ifndef ASSAY_COMPILER_ROUNDING_ROUND_H
#define ASSAY_COMPILER_ROUNDING_ROUND_H

#include "compiler/rounding/lanes.h"

#include <stdbool.h>

// Whether numbers of that type can be rounded: f16, bf16, f32, f64.
bool assay_round_knows(MlirType element);

// Where a rounding is built.
typedef struct assay_round {
  assay_lanes lanes;
  MlirType element; // of the result
  MlirValue seed;   // i64, well mixed; 0 rounds to nearest
  MlirValue spread; // i64: log2 of twice the amplitude; 0 without amplitude
} assay_round;

// To f16, bf16 or f32, of an f64 that is the exact result or nearer to it than the type can tell.
// inexact (i1; may be null) says that the result was not exact though the f64 is a number of the
// type.
MlirValue assay_round_narrow(const assay_round *it, MlirValue wide, MlirValue inexact);

// To f64, of the result rounded to nearest and what that lost.
MlirValue assay_round_pair(const assay_round *it, MlirValue nearest, MlirValue lost,
                           MlirValue inexact);

#endif
