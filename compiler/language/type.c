// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dtypes and shapes as MLIR types.
#include "compiler/language/operation.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

MlirType assay_dtype_type(MlirContext context, assay_dtype dtype) {
  switch (dtype) {
  case ASSAY_F64:
    return mlirF64TypeGet(context);
  case ASSAY_F32:
    return mlirF32TypeGet(context);
  case ASSAY_F16:
    return mlirF16TypeGet(context);
  default:
    return mlirIntegerTypeGet(context, (unsigned)assay_dtype_get(dtype)->precision);
  }
}

MlirAttribute assay_dtype_number(MlirContext context, assay_dtype dtype, assay_scalar scalar) {
  MlirType type = assay_dtype_type(context, dtype);
  return assay_dtype_get(dtype)->floating ? mlirFloatAttrDoubleGet(context, type, scalar.real)
                                          : mlirIntegerAttrGet(type, scalar.integer);
}

MlirType assay_node_type(MlirContext context, const assay_node *node) {
  return mlirRankedTensorTypeGet(node->shape.rank, node->shape.dim,
                                 assay_dtype_type(context, node->dtype), mlirAttributeGetNull());
}
