// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/tensor.h"

#include <stdio.h>

assay_tensor_text assay_tensor_print(assay_dtype dtype, const assay_shape *shape) {
  assay_tensor_text result;
  const char *name = assay_dtype_get(dtype)->name;
  const char *between = shape->rank < 0 || shape->rank > ASSAY_MAX_RANK ? " " : "x";
  if (shape->rank == 0)
    snprintf(result.text, sizeof result.text, "%s", name);
  else
    snprintf(result.text, sizeof result.text, "%s%s%s", assay_shape_print(shape).text, between,
             name);
  return result;
}
