// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats of a byte, which neither C nor LLVM has: their values, and how numbers round to them.
#ifndef ASSAY_COMPILER_BRIDGE_SMALL_FLOATS_H
#define ASSAY_COMPILER_BRIDGE_SMALL_FLOATS_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_small_float {
  ASSAY_F8E5M2,
  ASSAY_F8E4M3,
  ASSAY_F8E4M3FN,
  ASSAY_F8E5M2FNUZ,
  ASSAY_F8E4M3FNUZ,
  ASSAY_F8E4M3B11FNUZ,
  ASSAY_F8E3M4,
  ASSAY_SMALL_FLOAT_COUNT,
} assay_small_float;

// ASSAY_SMALL_FLOAT_COUNT for any other type.
assay_small_float assay_small_float_of(MlirType type);
// To nearest, ties to even; beyond the greatest what the format has, Inf or NaN.
unsigned char assay_small_float_bits(assay_small_float format, double value);
double assay_small_float_value(assay_small_float format, unsigned char bits);

#ifdef __cplusplus
}
#endif

#endif
