// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types of the tensor language, and NumPy's promotion of arrays of two of them.
#ifndef ASSAY_COMPILER_LANGUAGE_DTYPE_H
#define ASSAY_COMPILER_LANGUAGE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_dtype {
  ASSAY_F64,
  ASSAY_F32,
  ASSAY_F16,
  ASSAY_I64,
  ASSAY_I32,
  ASSAY_BOOL,
  ASSAY_DTYPE_COUNT
} assay_dtype;

typedef struct assay_dtype_info {
  const char *name;  // "f32", as in case lines and MLIR (where bool is i1)
  const char *numpy; // "<f4", as in a .npy header
  size_t size;       // bytes
  bool floating;
  int precision; // bits of the significand, hidden one included; for integers the bits of the type
                 // (1 for bool, whose elements are bytes of 0 or 1)
} assay_dtype_info;

const assay_dtype_info *assay_dtype_get(assay_dtype dtype);
// False where no dtype has that name.
bool assay_dtype_parse(const char *name, assay_dtype *out_dtype);
// The dtype of an operation on arrays of a and b, by NumPy 2's rules (NEP 50; for arrays the table
// of numpy.result_type): equal stays, bool becomes the other, of two integers or two floats it is
// the wider one, and i32 or i64 with any float is f64.
assay_dtype assay_dtype_promote(assay_dtype a, assay_dtype b);

#ifdef __cplusplus
}
#endif

#endif
