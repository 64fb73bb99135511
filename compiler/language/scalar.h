// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar constants: their values, and conversions of them at compile time.
#ifndef ASSAY_COMPILER_LANGUAGE_SCALAR_H
#define ASSAY_COMPILER_LANGUAGE_SCALAR_H

#include "compiler/language/dtype.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A scalar of some dtype, which stands beside it.
typedef struct assay_scalar {
  bool weak;       // Python's, not NumPy's: its dtype bends to that of the operand it meets
  int64_t integer; // the value where the dtype is no float; for bool 0 or 1
  double real;     // the value where it is one, rounded to it
} assay_scalar;

// The strong scalar that numpy.astype makes of one: floats round to nearest even (to infinity where
// they are too large) and are cut towards zero on the way to integers, integers keep their low
// bits, all but 0 is true. A float that the integer dtype cannot hold gives its smallest value.
assay_scalar assay_scalar_cast(const assay_scalar *scalar, assay_dtype from, assay_dtype to);

// Whether the integer is a value of the dtype; true for floats, which round it.
bool assay_integer_fits(int64_t integer, assay_dtype dtype);

#ifdef __cplusplus
}
#endif

#endif
