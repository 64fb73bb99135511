// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/constants.h"

#include "compiler/origin/payload.h"
#include "compiler/origin/watched.h"

#include <math.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>
#include <string.h>

static MlirAttribute mark_scalar(MlirAttribute value, int number) {
  MlirAttribute none = {NULL};
  const assay_payload_format *format = assay_payload_of(ASSAY_ORIGIN_F64);
  MlirType type = mlirAttributeGetType(value);
  if (assay_watched_type(type).format == ASSAY_ORIGIN_OTHER ||
      !isnan(mlirFloatAttrGetValueDouble(value)))
    return none;
  double marked;
  assay_payload_store(format, &marked, assay_payload_put(format, 0, number));
  return mlirFloatAttrDoubleGet(mlirAttributeGetContext(value), type, marked);
}

static MlirAttribute mark_dense(MlirAttribute value, int number) {
  MlirAttribute none = {NULL};
  MlirType type = mlirAttributeGetType(value);
  const assay_payload_format *format =
      assay_payload_of(assay_watched_type(mlirShapedTypeGetElementType(type)).format);
  if (format == NULL)
    return none;
  size_t pitch = (size_t)format->bits / 8;
  size_t count =
      mlirDenseElementsAttrIsSplat(value) ? 1 : (size_t)mlirElementsAttrGetNumElements(value);
  unsigned char *bytes = malloc(count * pitch + 1);
  if (bytes == NULL)
    abort();
  memcpy(bytes, mlirDenseElementsAttrGetRawData(value), count * pitch);
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = assay_payload_load(format, bytes + i * pitch);
    if (!assay_payload_is_nan(format, bits))
      continue;
    any = true;
    assay_payload_store(format, bytes + i * pitch, assay_payload_put(format, bits, number));
  }
  MlirAttribute made = any ? mlirDenseElementsAttrRawBufferGet(type, count * pitch, bytes) : none;
  free(bytes);
  return made;
}

bool assay_constant_mark(MlirOperation operation, int number) {
  MlirStringRef key = mlirStringRefCreateFromCString("value");
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString("llvm.mlir.constant")) &&
      !mlirStringRefEqual(name, mlirStringRefCreateFromCString("llvm.mlir.global")))
    return false;
  MlirAttribute value = mlirOperationGetInherentAttributeByName(operation, key), marked = {NULL};
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAFloat(value))
    marked = mark_scalar(value, number);
  else if (!mlirAttributeIsNull(value) && mlirAttributeIsADenseElements(value) &&
           !mlirAttributeIsADenseResourceElements(value))
    marked = mark_dense(value, number);
  if (mlirAttributeIsNull(marked))
    return false;
  mlirOperationSetInherentAttributeByName(operation, key, marked);
  return true;
}
