// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dtypes and shapes as MLIR types.
#include "compiler/language/operation.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

MlirType assay_dtype_type(MlirContext context, assay_dtype dtype) {
  const assay_dtype_info *info = assay_dtype_get(dtype);
  if (!info->floating)
    return mlirIntegerTypeGet(context, (unsigned)info->precision);
  return info->size == sizeof(float) ? mlirF32TypeGet(context) : mlirF64TypeGet(context);
}

MlirType assay_node_type(MlirContext context, const assay_node *node) {
  return mlirRankedTensorTypeGet(node->shape.rank, node->shape.dim,
                                 assay_dtype_type(context, node->dtype), mlirAttributeGetNull());
}
