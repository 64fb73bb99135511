// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of a tensor, for messages.
#ifndef ASSAY_COMPILER_LANGUAGE_TENSOR_H
#define ASSAY_COMPILER_LANGUAGE_TENSOR_H

#include "compiler/language/dtype.h"
#include "compiler/language/shape.h"

// "3x5xf32", "f32" for rank 0, or "rank 9 f32" for a rank that cannot be, in a buffer that lives as
// long as the expression's value.
typedef struct assay_tensor_text {
  char text[sizeof(assay_shape_text) + 8];
} assay_tensor_text;
assay_tensor_text assay_tensor_print(assay_dtype dtype, const assay_shape *shape);

#endif
