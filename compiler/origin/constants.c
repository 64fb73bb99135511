// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/constants.h"

#include "compiler/origin/payload.h"
#include "compiler/origin/watched.h"

#include <math.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>
#include <string.h>

// What is asked for, and the number that NaN get.
typedef struct mark {
  assay_origin_kind kind;
  int number;
} mark;

// Marks one element; whether it is what is asked for.
static bool mark_element(const mark *it, const assay_payload_format *format, void *element) {
  uint64_t bits = assay_payload_load(format, element);
  if (it->kind == ASSAY_ORIGIN_INF)
    return assay_payload_is_inf(format, bits);
  if (!assay_payload_is_nan(format, bits) || assay_payload_get(format, bits) > 0)
    return false;
  assay_payload_store(format, element, assay_payload_put(format, bits, it->number));
  return true;
}

// The attribute with its NaN marked; null where nothing in it is asked for.
static MlirAttribute mark_scalar(const mark *it, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  double number = mlirFloatAttrGetValueDouble(value);
  if (assay_watched_type(type).format == ASSAY_ORIGIN_OTHER ||
      !mark_element(it, assay_payload_of(ASSAY_ORIGIN_F64), &number))
    return (MlirAttribute){NULL};
  return mlirFloatAttrDoubleGet(mlirAttributeGetContext(value), type, number);
}

static MlirAttribute mark_dense(const mark *it, MlirAttribute value) {
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
  for (size_t i = 0; i < count; i++)
    any |= mark_element(it, format, bytes + i * pitch);
  MlirAttribute made = any ? mlirDenseElementsAttrRawBufferGet(type, count * pitch, bytes) : none;
  free(bytes);
  return made;
}

// Blobs stay as they are: their NaN carry no number, but are known to be there.
static MlirAttribute find_in_resource(const mark *it, MlirAttribute value) {
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  bool single = mlirTypeIsAF32(element);
  for (int64_t i = 0;
       (single || mlirTypeIsAF64(element)) && i < mlirElementsAttrGetNumElements(value); i++) {
    double number = single ? (double)mlirDenseFloatResourceElementsAttrGetValue(value, i)
                           : mlirDenseDoubleResourceElementsAttrGetValue(value, i);
    if (it->kind == ASSAY_ORIGIN_NAN ? isnan(number) : isinf(number))
      return value;
  }
  return (MlirAttribute){NULL};
}

static MlirAttribute mark_attribute(const mark *it, MlirAttribute value) {
  if (mlirAttributeIsAFloat(value))
    return mark_scalar(it, value);
  if (mlirAttributeIsADenseResourceElements(value))
    return find_in_resource(it, value);
  if (mlirAttributeIsADenseElements(value))
    return mark_dense(it, value);
  return (MlirAttribute){NULL};
}

bool assay_constant_mark(MlirOperation operation, assay_origin_kind kind, int number) {
  const mark it = {.kind = kind, .number = number};
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(operation); i++) {
    MlirNamedAttribute named = mlirOperationGetAttribute(operation, i);
    MlirAttribute marked = mark_attribute(&it, named.attribute);
    if (mlirAttributeIsNull(marked))
      continue;
    any = true;
    if (!mlirAttributeEqual(marked, named.attribute))
      mlirOperationSetAttributeByName(operation, mlirIdentifierStr(named.name), marked);
  }
  return any;
}
